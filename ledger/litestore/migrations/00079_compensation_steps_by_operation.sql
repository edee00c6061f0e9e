-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS compensation_steps_by_operation ON compensation_steps (namespace, subject, at, id)
    WHERE subject <> '';
