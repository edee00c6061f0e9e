-- +goose NO TRANSACTION
-- +goose Up
-- Results that the same read may be answered with for a while.
CREATE TABLE IF NOT EXISTS cached_reads (
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
