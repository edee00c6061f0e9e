-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS approvals_by_time ON approvals (namespace, at, id);
