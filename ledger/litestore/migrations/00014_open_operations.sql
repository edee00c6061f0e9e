-- +goose NO TRANSACTION
-- +goose Up
-- One row for each operation that has not ended, or that time still changes: what the gauges count, and the due work. It
-- is a table and no index of operations, so that the end of an operation changes no index of the large table. ready_at is
-- when the row may be handed out next: its due time, or the end of the claim or pause that came after it; far away where
-- time changes nothing.
CREATE TABLE IF NOT EXISTS open_operations (
    namespace    TEXT    NOT NULL,
    operation_id TEXT    NOT NULL,
    tool         TEXT    NOT NULL,
    class        TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    state_since  BIGINT  NOT NULL,
    due_at       BIGINT  NOT NULL,
    kind         TEXT    NOT NULL,
    stamp        BIGINT  NOT NULL,
    ready_at     BIGINT  NOT NULL,
    claimed_by   TEXT    NOT NULL,
    PRIMARY KEY (namespace, operation_id)
) WITHOUT ROWID;
