-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS leases_by_time ON leases (namespace, at, id);
