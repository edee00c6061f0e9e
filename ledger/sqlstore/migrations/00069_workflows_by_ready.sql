-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS workflows_by_ready ON workflows (shard, ready_at)
    WHERE ready_at IS NOT NULL;
