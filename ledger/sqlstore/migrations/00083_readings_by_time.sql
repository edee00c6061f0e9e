-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS readings_by_time ON readings (namespace, at, id)
    WHERE version > 0;
