-- +goose NO TRANSACTION
-- +goose Up
-- Rows that the ledger keeps as documents have one table a kind, all of one shape. The columns beside the document are those
-- by which lists are filtered and ordered; at is the order.
-- A lease is the right of one workflow to mutate entities. Its subject is the workflow.
CREATE TABLE IF NOT EXISTS leases (
    namespace  TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    version    BIGINT  NOT NULL,
    status     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    entity     TEXT    NOT NULL,
    at         BIGINT  NOT NULL,
    document   TEXT    NOT NULL,
    PRIMARY KEY (namespace, id)
);
