-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS events (
    namespace    TEXT    NOT NULL,
    operation_id TEXT    NOT NULL,
    sequence     BIGINT  NOT NULL,
    version      BIGINT  NOT NULL,
    at           BIGINT  NOT NULL,
    type         TEXT    NOT NULL,
    document     TEXT    NOT NULL,
    PRIMARY KEY (namespace, operation_id, sequence)
) WITHOUT ROWID;
