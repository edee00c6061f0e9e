-- +goose NO TRANSACTION
-- +goose Up
-- Rows that the ledger keeps as documents have one table a kind, all of one shape. The columns beside the document are those
-- by which lists are filtered and ordered; at is the order. A row that is awaited before it exists is made by its key
-- alone, at version zero.
-- A lease is the right of one workflow to mutate entities. Its subject is the workflow.
CREATE TABLE IF NOT EXISTS leases (
    namespace  TEXT        NOT NULL,
    id         TEXT        NOT NULL,
    version    BIGINT      NOT NULL DEFAULT 0,
    status     TEXT        NOT NULL DEFAULT '',
    subject    TEXT        NOT NULL DEFAULT '',
    tool       TEXT        NOT NULL DEFAULT '',
    entity     TEXT        NOT NULL DEFAULT '',
    at         TIMESTAMPTZ NOT NULL DEFAULT '0001-01-01 00:00:00+00',
    document   TEXT        NOT NULL DEFAULT '',
    PRIMARY KEY (namespace, id)
);
