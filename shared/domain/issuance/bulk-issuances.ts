import { dayMs, plusMs } from '../../clock.ts'

/** Limits of bulk issuances, and their states. The API, the workers and the documentation use them. */

/**
 * `receiving`: the file is being uploaded. `validating`: its rows are checked. `ready`: it waits for its start. `removed`: it is deleted
 * soon, and callers do not see it.
 */
export const bulkStates = [
  'receiving',
  'validating',
  'ready',
  'running',
  'paused',
  'done',
  'cancelled',
  'failed',
] as const
export type BulkIssuanceState = (typeof bulkStates)[number] | 'removed'

/** The outcome of each row: a signed credential, or a claim link. */
export const bulkModes = ['sign', 'links'] as const
export type BulkMode = (typeof bulkModes)[number]

/** `file`: an uploaded file of people. `person`: a request for one claim link, without a file. */
export const bulkSources = ['file', 'person'] as const
export type BulkSource = (typeof bulkSources)[number]

/** The size of an uploaded file, and of its content if it is compressed. */
export const maxBulkFileBytes = 2_000_000_000
export const maxBulkRows = 2_000_000
/** One row of the file, in bytes. */
export const maxBulkRowBytes = 100_000
/** Columns of the file. */
export const maxBulkColumns = 500

/** The sealed bytes of one chunk of the file. A chunk is small compared with the memory of a request, and fast to write. */
export const bulkChunkBytes = 262_144

/** The time that an ended bulk issuance is kept with its results, and that one can wait for its start. */
export const bulkKeptDays = 30

/** The rows whose claim links are committed together. A link takes about 0.05 ms. */
export const bulkLinkRows = 500

/** The rows that are signed and committed together. A signature takes 0.1 to 1 ms. */
export const bulkSignedRows = 200

/** The sealed claims of rows that are issued together. A portion of large rows has fewer rows. */
export const bulkPortionBytes = 1_000_000

/**
 * Returns when a bulk issuance that ends or waits now is removed. One with claim links is kept as long as each of them can be renewed
 * (`claimLinkKeptDays`).
 */
export function bulkKeptUntil(of: { linkSeconds: number | null; linksUntil: Date | null }, at: Date): Date {
  const linksUntil = plusMs(at, (of.linkSeconds ?? 0) * 1_000)
  return plusMs(of.linksUntil && of.linksUntil > linksUntil ? of.linksUntil : linksUntil, bulkKeptDays * dayMs)
}

/** The event of a request to renew all expired links. The audit rows of the renewed links have the same type as that of the request. */
export const linkRenewalEvent = 'BULK_ISSUANCE_EXPIRED_LINKS_RENEW'

/** The expired links that are renewed together. A link takes about 0.5 ms. */
export const renewalPortion = 100

/** The id of the outbox row of a run. */
export function bulkRunId(bulkId: string, run: number): string {
  return `${bulkId}-run-${run}`
}

/** The content of the event of a completed bulk issuance. */
export interface BulkEnd {
  bulkId: string
  run: number
  at: Date
  done: number
  failed: number
}

/** The subject of the event after a run. It contains what a later run changes in the row of the bulk issuance. */
export function bulkEndId({ bulkId, run, at, done, failed }: BulkEnd): string {
  return `${bulkId}-end-${[run, at.getTime(), done, failed].join('-')}`
}

/** Reads such a subject. */
export function readBulkEndId(id: string): BulkEnd {
  const [bulkId = '', numbers = ''] = id.split('-end-')
  const [run = 0, at = 0, done = 0, failed = 0] = numbers.split('-').map(Number)
  return { bulkId, run, at: new Date(at), done, failed }
}

/** The priority of the jobs that issue rows. Status lists and CRLs, which have none, come first on the same queue. */
export const bulkRunPriority = 10
