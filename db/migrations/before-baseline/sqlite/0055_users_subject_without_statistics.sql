-- Only PostgreSQL has statistics that hold values. A migration has at least one statement.
DELETE FROM `users` WHERE false;
