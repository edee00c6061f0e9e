-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_with_incident ON operations (namespace, created_at, operation_id)
    WHERE has_incident;
