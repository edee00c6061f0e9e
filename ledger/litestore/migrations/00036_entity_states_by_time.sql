-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS entity_states_by_time ON entity_states (namespace, at, id);
