-- +goose NO TRANSACTION
-- +goose Up
-- What else a scope has than a fence and holders, as JSON: its lease, who waits for it, a no that stands. Empty: nothing.
ALTER TABLE scopes ADD COLUMN IF NOT EXISTS document TEXT NOT NULL DEFAULT '';
