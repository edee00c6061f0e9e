-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS approvals_by_tool ON approvals (namespace, tool, at, id)
    WHERE tool <> '';
