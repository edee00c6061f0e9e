-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS events (
    namespace    TEXT    NOT NULL,
    operation_id TEXT    NOT NULL,
    sequence     INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    type         TEXT    NOT NULL,
    document     TEXT    NOT NULL,
    PRIMARY KEY (namespace, operation_id, sequence)
) WITHOUT ROWID;
