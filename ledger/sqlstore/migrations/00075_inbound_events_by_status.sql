-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX IF NOT EXISTS inbound_events_by_status ON inbound_events (namespace, status, at, id)
    WHERE version > 0;
