-- +goose NO TRANSACTION
-- +goose Up
-- What guards read of entities. The subject is the operation that changed it, the status the entity's state.
CREATE TABLE IF NOT EXISTS entity_states (
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
