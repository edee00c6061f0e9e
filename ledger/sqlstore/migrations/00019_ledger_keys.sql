-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS ledger_keys (
    name       TEXT        NOT NULL PRIMARY KEY,
    key        BYTEA       NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
