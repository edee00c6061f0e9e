-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_by_run ON operations (namespace, run_id, created_at, operation_id)
    WHERE run_id <> '';
