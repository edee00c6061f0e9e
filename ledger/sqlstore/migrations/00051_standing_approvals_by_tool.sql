-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS standing_approvals_by_tool ON standing_approvals (namespace, tool, at, id)
    WHERE tool <> '';
