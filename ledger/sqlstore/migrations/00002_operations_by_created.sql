-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_by_created ON operations (namespace, created_at, operation_id);
