-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_by_workflow ON operations (namespace, workflow_id, created_at, operation_id)
    WHERE workflow_id <> '';
