-- +goose NO TRANSACTION
-- +goose Up
-- How often rules were asked, and what they said, by the hour. For people: nothing decides by them.
CREATE TABLE IF NOT EXISTS rule_figures (
    namespace       TEXT    NOT NULL,
    hour            BIGINT  NOT NULL,
    rule            TEXT    NOT NULL,
    rule_version    BIGINT  NOT NULL,
    evaluations     BIGINT  NOT NULL,
    refusals        BIGINT  NOT NULL,
    shadow_refusals BIGINT  NOT NULL,
    overrides       BIGINT  NOT NULL,
    PRIMARY KEY (namespace, hour, rule, rule_version)
) WITHOUT ROWID;
