-- +goose NO TRANSACTION
-- +goose Up
-- Every version of every rule; none ever changes. The subject is the rule.
CREATE TABLE IF NOT EXISTS rule_versions (
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
