-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS decisions_by_entity ON decisions (namespace, entity, at, decision_id)
    WHERE entity <> '';
