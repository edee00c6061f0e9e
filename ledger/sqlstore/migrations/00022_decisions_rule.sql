-- +goose NO TRANSACTION
-- +goose Up
-- The rule that decided.
ALTER TABLE decisions ADD COLUMN IF NOT EXISTS rule TEXT NOT NULL DEFAULT '';
