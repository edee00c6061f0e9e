-- +goose Up
-- The rule that decided.
ALTER TABLE decisions ADD COLUMN rule TEXT NOT NULL DEFAULT '';
