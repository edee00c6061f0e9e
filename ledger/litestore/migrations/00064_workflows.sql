-- +goose NO TRANSACTION
-- +goose Up
-- Agents' tasks. The subject is the correlation key, the entity column the requester. due_at is when due work must look at an
-- ended workflow again; ready_at is when the row may be handed out next.
CREATE TABLE IF NOT EXISTS workflows (
    namespace  TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    version    BIGINT  NOT NULL,
    status     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    entity     TEXT    NOT NULL,
    at         BIGINT  NOT NULL,
    document   TEXT    NOT NULL,
    due_at     BIGINT,
    ready_at   BIGINT,
    claimed_by TEXT    NOT NULL,
    PRIMARY KEY (namespace, id)
);
