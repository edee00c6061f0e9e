-- +goose NO TRANSACTION
-- +goose Up
-- The one unique constraint of the ledger: keys with their revisions, request ids, effects.
CREATE TABLE IF NOT EXISTS claims (
    namespace    TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    value        TEXT    NOT NULL,
    number       BIGINT  NOT NULL,
    operation_id TEXT    NOT NULL,
    attempt_id   TEXT    NOT NULL,
    fingerprint  TEXT    NOT NULL,
    PRIMARY KEY (namespace, kind, value, number)
) WITHOUT ROWID;
