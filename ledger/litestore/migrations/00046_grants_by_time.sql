-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS grants_by_time ON grants (namespace, at, id);
