-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS decisions (
    namespace   TEXT    NOT NULL,
    decision_id TEXT    NOT NULL,
    at          BIGINT  NOT NULL,
    kind        TEXT    NOT NULL,
    document    TEXT    NOT NULL,
    PRIMARY KEY (namespace, decision_id)
);
