-- +goose NO TRANSACTION
-- +goose Up
-- Every index of this table but its primary key has a condition. A look for one operation does not imply it, so that the
-- planner cannot take another index for it, as PostgreSQL does while it knows nothing of the table, and keeps doing with a
-- prepared plan while the table grows. This one's condition is always true, and named by the lists of operations.
CREATE INDEX IF NOT EXISTS operations_by_created ON operations (namespace, created_at, operation_id)
    WHERE revision > 0;
