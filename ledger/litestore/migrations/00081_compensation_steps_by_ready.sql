-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS compensation_steps_by_ready ON compensation_steps (ready_at)
    WHERE ready_at IS NOT NULL;
