import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { BulkFailure, RenewalOfExpired } from '../../../db/tables/issuance/bulk-issuances.ts'
import type { BulkWarning } from '../../../shared/domain/issuance/bulk-warnings.ts'
import { isRowReader } from '../../access/shown-to.ts'
import type { Caller } from '../../access/subjects.ts'
import { presentUploader } from '../../access/uploader.ts'

/** `at` is now, for the rate. `caller` decides whether the content of the file is shown. */
export function presentBulk(bulk: BulkIssuanceRow, at: Date, caller: Caller | undefined) {
  const { id, state, mode, source, configurationIds, fileName, sizeBytes, failure, createdAt, endedAt } = bulk
  const { linkSeconds, transactionCode, signIn, viewId, columns } = bulk
  const { total, valid, invalid, done, failed } = bulk
  return {
    ...{ id, state, mode, source, configurationIds, fileName, sizeBytes, total, valid, invalid, done, failed },
    erased: total - valid - invalid,
    ...(linkSeconds !== null && { expiresIn: lifetimeOf(linkSeconds) }),
    ...(transactionCode && { transactionCode }),
    ...(signIn && { signIn }),
    ...(viewId !== null && { view: viewId }),
    ...(columns.kept && { keepColumns: [...columns.kept] }),
    ...(failure && { failure: state === 'failed' && !isRowReader(caller) ? withoutContent(failure) : failure }),
    ...(bulk.linkRenewal && { linkRenewal: presentLinkRenewal(bulk.linkRenewal) }),
    ...rateOf(bulk, at),
    startedBy: presentUploader({ kind: bulk.starter, id: bulk.startedBy }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}

export function presentLinkRenewal({ state, renewed, row, requestedAt, expiresAt, endedAt }: RenewalOfExpired) {
  return {
    ...{ state, renewed, checkedRows: row },
    requestedAt: new Date(requestedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
  }
}

export function presentWarning({ column, message, rows, firstRow }: BulkWarning) {
  return { ...(column !== null && { column }), message, rows, firstRow }
}

/** The message can name the header. A file without a header has a person there. */
function withoutContent({ code }: BulkFailure): BulkFailure {
  return { code, message: 'Only roles that read the rows see the reason, because it can have content of the file.' }
}

/** Returns the rows of the current run that are issued per second, and how long the others take at this rate. */
function rateOf({ state, issues, valid, done, failed, doneBefore, runningSince }: BulkIssuanceRow, at: Date) {
  if (state !== 'running' || !runningSince) return {}
  const seconds = Math.max(0.001, (at.getTime() - runningSince.getTime()) / 1_000)
  const perSecond = Math.round(((done - doneBefore) / seconds) * 10) / 10
  if (perSecond <= 0) return { perSecond: 0 }
  // A retry issues the rows that failed.
  const left = issues === 'failed' ? valid - done : valid - done - failed
  return { perSecond, etaSeconds: Math.ceil(Math.max(0, left) / perSecond) }
}

/** Returns the lifetime of links in the form of `expiresIn`. */
function lifetimeOf(seconds: number) {
  const hours = seconds / 3_600
  return { days: Math.floor(hours / 24), hours: hours % 24 }
}
