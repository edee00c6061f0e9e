-- +goose NO TRANSACTION
-- +goose Up
-- One row for each operation that the passing of time changes. ready_at is when the row may be handed out next: its due
-- time, or the end of the claim or pause that came after it.
CREATE TABLE IF NOT EXISTS due_work (
    namespace    TEXT    NOT NULL,
    operation_id TEXT    NOT NULL,
    due_at       BIGINT  NOT NULL,
    kind         TEXT    NOT NULL,
    stamp        BIGINT  NOT NULL,
    ready_at     BIGINT  NOT NULL,
    claimed_by   TEXT    NOT NULL,
    PRIMARY KEY (namespace, operation_id)
) WITHOUT ROWID;
