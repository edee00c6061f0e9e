-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS notices_by_operation ON notices (namespace, subject, at, id)
    WHERE subject <> '';
