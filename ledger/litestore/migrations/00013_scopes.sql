-- +goose NO TRANSACTION
-- +goose Up
-- Holders are a JSON list in the order of the line.
CREATE TABLE IF NOT EXISTS scopes (
    namespace   TEXT    NOT NULL,
    entity_type TEXT    NOT NULL,
    entity_id   TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    fence       BIGINT  NOT NULL,
    holders     TEXT    NOT NULL,
    PRIMARY KEY (namespace, entity_type, entity_id, name)
) WITHOUT ROWID;
