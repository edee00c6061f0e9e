-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS ledger_keys (
    name       TEXT    NOT NULL PRIMARY KEY,
    key        BLOB    NOT NULL,
    created_at BIGINT  NOT NULL
);
