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
    at         BIGINT      NOT NULL DEFAULT -62135596800000000,
    document   TEXT        NOT NULL DEFAULT '',
    due_at     BIGINT,
    ready_at   BIGINT,
    claimed_by TEXT        NOT NULL DEFAULT '',
    PRIMARY KEY (namespace, id)
);
