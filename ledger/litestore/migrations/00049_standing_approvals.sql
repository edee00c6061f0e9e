-- +goose NO TRANSACTION
-- +goose Up
-- Operations that are approved ahead, on stated terms.
CREATE TABLE IF NOT EXISTS standing_approvals (
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
