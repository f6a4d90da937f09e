-- Only SQLite stores these tables differently. The migrations of both databases have the same names.
SELECT 1;
