-- Only SQLite has queues. The migrations of both databases have the same names.
SELECT 1;
