-- +goose NO TRANSACTION
-- +goose Up
-- The head of each tool: its newest version with that one's digest, and its switch.
CREATE TABLE IF NOT EXISTS tools (
    namespace TEXT    NOT NULL,
    name      TEXT    NOT NULL,
    version   BIGINT  NOT NULL,
    digest    TEXT    NOT NULL,
    disabled  BOOLEAN NOT NULL,
    reason    TEXT    NOT NULL,
    PRIMARY KEY (namespace, name)
);
