-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS grants_by_tool ON grants (namespace, tool, at, id)
    WHERE tool <> '';
