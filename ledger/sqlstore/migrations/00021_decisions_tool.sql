-- +goose NO TRANSACTION
-- +goose Up
-- Decisions of earlier releases have none of the columns that follow, and are found by time alone.
ALTER TABLE decisions ADD COLUMN IF NOT EXISTS tool TEXT NOT NULL DEFAULT '';
