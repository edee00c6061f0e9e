-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_by_entity ON operations (namespace, entity, created_at, operation_id)
    WHERE entity <> '';
