-- Only PostgreSQL logs the bytes of a row between its first and its last change. The migrations of both databases have the same names.
SELECT 1;
