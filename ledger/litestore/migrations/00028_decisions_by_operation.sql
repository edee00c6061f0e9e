-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS decisions_by_operation ON decisions (namespace, operation_id, at, decision_id)
    WHERE operation_id <> '';
