-- +goose NO TRANSACTION
-- +goose Up
-- Ended operations are most of a ledger and none of its gauges.
CREATE INDEX IF NOT EXISTS operations_open ON operations (namespace, state, tool, class, state_since)
    WHERE state NOT IN ('completed_success', 'completed_noop', 'failed_permanent', 'compensated');
