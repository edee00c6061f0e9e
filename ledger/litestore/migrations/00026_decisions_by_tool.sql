-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS decisions_by_tool ON decisions (namespace, tool, at, decision_id)
    WHERE tool <> '';
