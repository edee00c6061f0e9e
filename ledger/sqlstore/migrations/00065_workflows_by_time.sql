-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS workflows_by_time ON workflows (namespace, at, id)
    WHERE version > 0;
