-- +goose Up
ALTER TABLE decisions ADD COLUMN workflow_id TEXT NOT NULL DEFAULT '';
