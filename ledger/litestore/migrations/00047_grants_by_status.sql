-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS grants_by_status ON grants (namespace, status, at, id);
