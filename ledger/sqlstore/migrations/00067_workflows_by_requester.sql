-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS workflows_by_requester ON workflows (namespace, entity, at, id)
    WHERE entity <> '';
