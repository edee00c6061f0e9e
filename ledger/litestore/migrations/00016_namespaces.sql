-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS namespaces (
    namespace TEXT    NOT NULL PRIMARY KEY,
    epoch     INTEGER NOT NULL
) WITHOUT ROWID;
