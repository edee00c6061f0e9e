-- +goose Up
-- What else a scope has than a fence and holders, as JSON: its lease, who waits for it, a no that stands. Empty: nothing.
-- SQLite cannot add a column where there is none yet; the step and its record are one transaction instead.
ALTER TABLE scopes ADD COLUMN document TEXT NOT NULL DEFAULT '';
