-- +goose Up
ALTER TABLE decisions ADD COLUMN operation_id TEXT NOT NULL DEFAULT '';
