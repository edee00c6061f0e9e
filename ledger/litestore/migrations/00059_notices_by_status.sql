-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS notices_by_status ON notices (namespace, status, at, id);
