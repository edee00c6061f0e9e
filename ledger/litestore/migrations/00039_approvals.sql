-- +goose NO TRANSACTION
-- +goose Up
-- Requests to persons to let an operation run. The subject is the operation, the order their expiry.
CREATE TABLE IF NOT EXISTS approvals (
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
