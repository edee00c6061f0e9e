-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS approvals_by_operation ON approvals (namespace, subject, at, id)
    WHERE subject <> '';
