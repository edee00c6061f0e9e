-- +goose NO TRANSACTION
-- +goose Up
-- What subscribers are to be told. The subject is the operation. due_at is when a delivery must be tried, absent where none
-- must; ready_at is when the row may be handed out next: its due time, or the end of the claim that came after it.
CREATE TABLE IF NOT EXISTS notices (
    namespace  TEXT        NOT NULL,
    id         TEXT        NOT NULL,
    version    BIGINT      NOT NULL DEFAULT 0,
    status     TEXT        NOT NULL DEFAULT '',
    subject    TEXT        NOT NULL DEFAULT '',
    tool       TEXT        NOT NULL DEFAULT '',
    entity     TEXT        NOT NULL DEFAULT '',
    at         TIMESTAMPTZ NOT NULL DEFAULT '0001-01-01 00:00:00+00',
    document   TEXT        NOT NULL DEFAULT '',
    shard      BIGINT      NOT NULL DEFAULT 0,
    due_at     TIMESTAMPTZ,
    ready_at   TIMESTAMPTZ,
    claimed_by TEXT        NOT NULL DEFAULT '',
    PRIMARY KEY (namespace, id)
);
