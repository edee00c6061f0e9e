-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS work_items_by_queue ON work_items (executor, namespace, tool, kind, provider, ready_at);
