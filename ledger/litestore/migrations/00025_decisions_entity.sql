-- +goose Up
ALTER TABLE decisions ADD COLUMN entity TEXT NOT NULL DEFAULT '';
