-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS open_operations_by_ready ON open_operations (ready_at);
