-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS tool_versions (
    namespace  TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    version    BIGINT  NOT NULL,
    definition BLOB    NOT NULL,
    digest     TEXT    NOT NULL,
    applied_by TEXT    NOT NULL,
    applied_at BIGINT  NOT NULL,
    PRIMARY KEY (namespace, name, version)
);
