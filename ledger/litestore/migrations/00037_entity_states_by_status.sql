-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS entity_states_by_status ON entity_states (namespace, status, at, id);
