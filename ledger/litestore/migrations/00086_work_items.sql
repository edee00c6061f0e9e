-- +goose NO TRANSACTION
-- +goose Up
-- One row for each operation for which a worker or the server's own executor has something to do: what is claimed, and
-- what the depths of queues are counted from. due_at is from when it is to be done; ready_at is when the row may be handed
-- out next: its due time, or the end of the claim or pause that came after it.
CREATE TABLE IF NOT EXISTS work_items (
    namespace    TEXT   NOT NULL,
    operation_id TEXT   NOT NULL,
    executor     TEXT   NOT NULL,
    tool         TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    provider     TEXT   NOT NULL,
    due_at       BIGINT NOT NULL,
    stamp        BIGINT NOT NULL,
    ready_at     BIGINT NOT NULL,
    claimed_by   TEXT   NOT NULL,
    PRIMARY KEY (namespace, operation_id)
) WITHOUT ROWID;
