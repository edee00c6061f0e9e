-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS leases_by_workflow ON leases (namespace, subject, at, id)
    WHERE subject <> '';
