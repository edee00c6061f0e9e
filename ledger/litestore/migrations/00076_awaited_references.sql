-- +goose NO TRANSACTION
-- +goose Up
-- Inbound events that came before the operation that they are about, by the reference that they carry.
CREATE TABLE IF NOT EXISTS awaited_references (
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
