-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS inbound_events_by_time ON inbound_events (namespace, at, id)
    WHERE version > 0;
