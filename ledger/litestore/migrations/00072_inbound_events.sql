-- +goose NO TRANSACTION
-- +goose Up
-- Events that providers and other systems sent, once for each source and event id. The subject is the operation.
CREATE TABLE IF NOT EXISTS inbound_events (
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
