-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS inbound_events_by_operation ON inbound_events (namespace, subject, at, id)
    WHERE subject <> '';
