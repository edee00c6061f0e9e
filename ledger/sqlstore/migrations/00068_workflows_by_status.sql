-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS workflows_by_status ON workflows (namespace, status, at, id)
    WHERE version > 0;
