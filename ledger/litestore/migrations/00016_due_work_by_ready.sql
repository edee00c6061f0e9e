-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS due_work_by_ready ON due_work (ready_at);
