-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS operations_by_tool_call ON operations (namespace, tool_call_id, created_at, operation_id)
    WHERE tool_call_id <> '';
