-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS compensation_steps_by_time ON compensation_steps (namespace, at, id)
    WHERE version > 0;
