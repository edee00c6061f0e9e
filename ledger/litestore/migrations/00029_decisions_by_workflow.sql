-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS decisions_by_workflow ON decisions (namespace, workflow_id, at, decision_id)
    WHERE workflow_id <> '';
