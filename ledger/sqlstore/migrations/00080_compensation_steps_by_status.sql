-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS compensation_steps_by_status ON compensation_steps (namespace, status, at, id)
    WHERE version > 0;
