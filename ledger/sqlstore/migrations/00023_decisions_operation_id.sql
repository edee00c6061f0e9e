-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE decisions ADD COLUMN IF NOT EXISTS operation_id TEXT NOT NULL DEFAULT '';
