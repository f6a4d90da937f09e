/** Of bulk changes of statuses: what the process that takes them and the one that does them must agree on. */

/** A request by a filter begins so long after it was stored: what was committed before it was answered is there by then. */
export const bulkSettlesMs = 2_000

/** Ids in one request; and failures that are kept of one. */
export const mostInBulk = 10_000

/** Of a filter's credentials, before it is answered: so many at most, and some 2 ms of SQLite at once. */
export const counting = { most: 1_000_000, atOnce: 10_000 }
