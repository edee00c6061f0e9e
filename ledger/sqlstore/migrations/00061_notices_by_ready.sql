-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS notices_by_ready ON notices (shard, ready_at)
    WHERE ready_at IS NOT NULL;
