-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS standing_approvals_by_status ON standing_approvals (namespace, status, at, id);
