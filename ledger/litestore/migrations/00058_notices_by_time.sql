-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS notices_by_time ON notices (namespace, at, id);
