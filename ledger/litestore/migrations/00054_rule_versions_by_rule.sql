-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS rule_versions_by_rule ON rule_versions (namespace, subject, at, id)
    WHERE subject <> '';
