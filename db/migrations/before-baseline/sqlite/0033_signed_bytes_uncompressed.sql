-- SQLite compresses nothing, so that nothing changes here; but a migration has to say something.
UPDATE `trusted_lists` SET `content` = `content` WHERE false;
