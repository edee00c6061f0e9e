-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_for_people ON operations (namespace, created_at, operation_id)
    WHERE needs_human = 1;
