/** Limits of bulk requests, shared by the web process that stores them and the worker that processes them. */

/** A request with a filter starts this long after it was stored. Transactions that ran meanwhile have then committed. */
export const bulkSettlesMs = 2_000

/** Maximum ids of one request, and maximum failures that are stored for it. */
export const maxBulkIds = 10_000

/** Limits of counting the credentials of a filter: in total, and per query, which takes about 2 ms in SQLite. */
export const countLimits = { maxTotal: 1_000_000, maxPerQuery: 10_000 }

/** The event of a request. The audit rows of the changed credentials have the same type as that of the request. */
export const bulkStatusEvent = 'CREDENTIAL_REVOCATION_STATUS_BULK_SET'
