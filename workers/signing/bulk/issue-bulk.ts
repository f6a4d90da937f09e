import { setTimeout as sleep } from 'node:timers/promises'
import { hold } from '../../../db/hold.ts'
import { removeFromOutbox } from '../../../db/outbox.ts'
import { recordEvents } from '../../../db/record-events.ts'
import { type BulkIssuanceRow, findBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { advanceRun, findRowsToIssue, moveBulk } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import { type BulkFailure, bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { answersReadsOnly, isServed } from '../../../db/tables/tenancy/tenants.ts'
import {
  type BulkMode,
  bulkKeptUntil,
  bulkLinkRows,
  bulkPortionBytes,
  bulkRunId,
  bulkSignedRows,
} from '../../../shared/domain/issuance/bulk-issuances.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { minPauseMs, runUntil } from '../../jobs/run-until.ts'
import { createTimeSlices } from '../../jobs/time-slices.ts'
import { Postpone } from '../../serve.ts'
import type { SigningDeps } from '../deps.ts'
import { makeLinks } from './make-links.ts'
import { type CommittedPortion, endRun, type Portion, type PortionResult } from './portion.ts'
import { signPortion } from './sign-portion.ts'

type Run = Payload<'issueBulk'>

/** After this time the job is queued again, so that status lists and the bulk issuances of other tenants are not delayed. */
const maxTimeSliceMs = 1_000

/** The rows of a portion while wallets collect credentials. They wait for its signatures and its transaction. */
const rowsBesideWallets = 25

/** The pause after such a portion, as a multiple of its time. */
const pausesBesideWallets = 2

/** All slots of the queue. A tenant has one of them at most. */
const maxAtOnce = 2

interface Mode {
  /** The rows of a portion. */
  rows: number
  issue(deps: SigningDeps, portion: Portion): Promise<PortionResult>
}

const modes: Record<BulkMode, Mode> = {
  sign: { rows: bulkSignedRows, issue: signPortion },
  links: { rows: bulkLinkRows, issue: makeLinks },
}

/** Returns the handler of the job. In a process, the bulk issuances of tenants run round robin. */
export function createIssueBulk(deps: SigningDeps, timeSliceMs = maxTimeSliceMs): (run: Run) => Promise<void> {
  const slices = createTimeSlices(maxAtOnce)
  return (run) => slices.take({ tenantId: run.tenantId, id: run.bulkId }, () => issueBulk(deps, run, timeSliceMs))
}

/** Issues the rows of a bulk issuance in portions. The job can run any number of times. */
async function issueBulk(deps: SigningDeps, run: Run, timeSliceMs: number): Promise<void> {
  const until = performance.now() + timeSliceMs
  const pauseMs = await runUntil(() => issuePortion(deps, run), until, { isTimed: true })
  if (pauseMs === undefined) return
  // A job that is due at once is taken at once. BullMQ can take a second longer for one that is delayed.
  await sleep(pauseMs)
  throw new Postpone(0)
}

/**
 * Issues the next rows. Their results and the progress are one transaction. Therefore a killed worker leaves whole portions, and no row gets
 * two results. Returns the pause before the next portion, or undefined if nothing is left.
 */
export async function issuePortion(deps: SigningDeps, run: Run, maxRows?: number): Promise<number | undefined> {
  const { db, walletActivity } = deps
  const { tenantId, bulkId } = run
  const startedAt = performance.now()
  const isBesideWallets = walletActivity.isRecent()
  const [tenant, bulk] = await Promise.all([findTenant(db.read, tenantId), findBulkIssuance(db.read, tenantId, bulkId)])
  if (!tenant || !isServed(tenant) || bulk?.state !== 'running' || bulk.run !== run.run) return endJob(deps, run)
  // It was started before all web processes refused changes.
  if (answersReadsOnly(tenant)) return pause(deps, bulk, readOnlyTenant)
  const mode = modes[bulk.mode]
  const most = isBesideWallets ? rowsBesideWallets : mode.rows
  const limits = { maxRows: maxRows ?? most, maxBytes: bulkPortionBytes }
  const { rows, isLast } = await findRowsToIssue(db.read, bulk, limits)
  // Rows that were erased while this portion was read say nothing about the rows after them.
  if (rows.length === 0) return isLast ? endWithoutRows(deps, bulk) : minPauseMs
  const result = await mode.issue(deps, { issuer: { tenantId, did: tenant.did }, bulk, rows, isLast })
  if (!result) return minPauseMs
  if ('code' in result) return pause(deps, bulk, result)
  await report(deps, bulk, result)
  if (isLast) deps.bus.poke()
  if (isLast) return undefined
  const pauseMs = isBesideWallets ? pausesBesideWallets * (performance.now() - startedAt) : result.commitMs
  return Math.max(minPauseMs, pauseMs)
}

/** Ends a run of which no row is left. The erasure of people can delete the rows of a retry. It needs no configuration and no signer. */
async function endWithoutRows({ db, clock, bus }: SigningDeps, bulk: BulkIssuanceRow): Promise<number | undefined> {
  const at = clock.now()
  const isEnded = await db.tx(async (tx) => {
    const held = await hold(tx, bulkIssuances, bulk.tenantId, bulk.id)
    if (held?.state !== 'running' || held.run !== bulk.run || held.progress !== bulk.progress) return false
    const { progress, done, failed } = held
    const ended = { endedAt: at, expiresAt: bulkKeptUntil(held, at) }
    await advanceRun(tx, bulk, { progress, done, failed, ended })
    await endRun(tx, bulk, { at, done, failed })
    return true
  })
  if (!isEnded) return minPauseMs
  bus.poke()
  return undefined
}

/** The run of the job has ended, was paused or cancelled, or another one has started. */
async function endJob({ db }: SigningDeps, { bulkId, run }: Run): Promise<undefined> {
  await db.tx((tx) => removeFromOutbox(tx, [bulkRunId(bulkId, run)]))
}

const readOnlyTenant: BulkFailure = {
  code: 'read_only',
  message: 'The tenant moves to another installation. Resume when this has ended.',
}

/** Pauses a bulk issuance that cannot be issued at the moment. It can be resumed. */
async function pause({ db, clock }: SigningDeps, bulk: BulkIssuanceRow, failure: BulkFailure): Promise<undefined> {
  const { tenantId, id, run } = bulk
  const expiresAt = bulkKeptUntil(bulk, clock.now())
  await db.tx(async (tx) => {
    // Another run can have started since this one read the bulk issuance.
    await moveBulk(tx, tenantId, id, { from: ['running'], run, state: 'paused', failure, expiresAt })
    await removeFromOutbox(tx, [bulkRunId(id, run)])
  })
}

/** Stores the event of a portion. A lost event changes nothing else. */
async function report(
  { db, clock, log }: SigningDeps,
  { tenantId, id, run, mode, configurationIds }: BulkIssuanceRow,
  { done, failed }: CommittedPortion,
): Promise<void> {
  if (done + failed === 0) return
  const at = clock.now()
  const [configurationId] = configurationIds
  const event = {
    id: newOrderedId(at),
    tenantId,
    type: 'BULK_ISSUANCE_PORTION_SUCCESS',
    category: 'BULK_ISSUANCE',
    timestamp: at.toISOString(),
    requestId: bulkRunId(id, run),
    data: { id, ...(mode === 'sign' ? { configurationId } : { configurationIds }), done, failed },
  }
  await recordEvents({ db, clock }, [event]).catch((err: unknown) => log.warn({ err }, 'event of a portion is lost'))
}
