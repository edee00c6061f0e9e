-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS approvals_by_entity ON approvals (namespace, entity, at, id)
    WHERE entity <> '';
