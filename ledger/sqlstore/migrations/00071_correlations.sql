-- +goose NO TRANSACTION
-- +goose Up
-- Which workflow a correlation key unites with.
CREATE TABLE IF NOT EXISTS correlations (
    namespace  TEXT        NOT NULL,
    id         TEXT        NOT NULL,
    version    BIGINT      NOT NULL DEFAULT 0,
    status     TEXT        NOT NULL DEFAULT '',
    subject    TEXT        NOT NULL DEFAULT '',
    tool       TEXT        NOT NULL DEFAULT '',
    entity     TEXT        NOT NULL DEFAULT '',
    at         TIMESTAMPTZ NOT NULL DEFAULT '0001-01-01 00:00:00+00',
    document   TEXT        NOT NULL DEFAULT '',
    PRIMARY KEY (namespace, id)
);
