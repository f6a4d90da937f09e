-- SQLite 3.53 can change the column without copying the table.
ALTER TABLE `credentials` ALTER COLUMN `device_public_key` DROP NOT NULL;