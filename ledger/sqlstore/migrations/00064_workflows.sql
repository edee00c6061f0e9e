-- +goose NO TRANSACTION
-- +goose Up
-- Agents' tasks. The subject is the correlation key, the entity column the requester. due_at is when due work must look at an
-- ended workflow again; ready_at is when the row may be handed out next.
CREATE TABLE IF NOT EXISTS workflows (
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
