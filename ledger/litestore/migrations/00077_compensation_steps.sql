-- +goose NO TRANSACTION
-- +goose Up
-- Steps of compensations. The subject is the operation that is undone. due_at is when due work must look at the step.
CREATE TABLE IF NOT EXISTS compensation_steps (
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
