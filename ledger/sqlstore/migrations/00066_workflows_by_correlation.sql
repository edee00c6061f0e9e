-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS workflows_by_correlation ON workflows (namespace, subject, at, id)
    WHERE subject <> '';
