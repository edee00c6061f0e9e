-- +goose NO TRANSACTION
-- +goose Up
-- The document is read back whole; the columns are those by which operations are found and guarded. A page is filled to the
-- half, so that an operation's next version finds room beside it: none of what is indexed changes, and PostgreSQL then
-- writes no index.
CREATE TABLE IF NOT EXISTS operations (
    namespace       TEXT        NOT NULL,
    operation_id    TEXT        NOT NULL,
    version         BIGINT      NOT NULL,
    state           TEXT        NOT NULL,
    class           TEXT        NOT NULL,
    tool            TEXT        NOT NULL,
    workflow_id     TEXT        NOT NULL,
    run_id          TEXT        NOT NULL,
    tool_call_id    TEXT        NOT NULL,
    entity          TEXT        NOT NULL,
    idempotency_key TEXT        NOT NULL,
    revision        BIGINT      NOT NULL,
    needs_human     BOOLEAN     NOT NULL,
    has_incident    BOOLEAN     NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    document        TEXT        NOT NULL,
    PRIMARY KEY (namespace, operation_id)
) WITH (fillfactor = 50);
