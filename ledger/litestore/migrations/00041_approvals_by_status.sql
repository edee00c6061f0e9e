-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS approvals_by_status ON approvals (namespace, status, at, id);
