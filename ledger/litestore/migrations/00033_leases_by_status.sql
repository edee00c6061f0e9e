-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS leases_by_status ON leases (namespace, status, at, id);
