-- +goose NO TRANSACTION
-- +goose Up
-- Tokens of callers, by the hash of each.
CREATE TABLE IF NOT EXISTS credentials (
    namespace  TEXT        NOT NULL,
    id         TEXT        NOT NULL,
    version    BIGINT      NOT NULL DEFAULT 0,
    status     TEXT        NOT NULL DEFAULT '',
    subject    TEXT        NOT NULL DEFAULT '',
    tool       TEXT        NOT NULL DEFAULT '',
    entity     TEXT        NOT NULL DEFAULT '',
    at         BIGINT      NOT NULL DEFAULT -62135596800000000,
    document   TEXT        NOT NULL DEFAULT '',
    PRIMARY KEY (namespace, id)
);
