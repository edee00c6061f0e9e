-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS decisions_by_rule ON decisions (namespace, rule, at, decision_id)
    WHERE rule <> '';
