-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS readings_by_key ON readings (namespace, subject, at, id)
    WHERE subject <> '';
