-- +goose NO TRANSACTION
-- +goose Up
CREATE TABLE IF NOT EXISTS namespaces (
    namespace TEXT   NOT NULL PRIMARY KEY,
    epoch     BIGINT NOT NULL
);
