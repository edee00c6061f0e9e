-- +goose NO TRANSACTION
-- +goose Up
-- What subscribers are to be told. The subject is the operation. due_at is when a delivery must be tried, absent where none
-- must; ready_at is when the row may be handed out next: its due time, or the end of the claim that came after it.
CREATE TABLE IF NOT EXISTS notices (
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
