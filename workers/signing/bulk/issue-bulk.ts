import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from '../../../db/client.ts'
import { addToOutbox, removeFromOutbox } from '../../../db/outbox.ts'
import { type BulkIssuanceRow, findBulkIssuance } from '../../../db/repos/issuance/bulk-issuances.ts'
import { findRowsToIssue, moveBulk } from '../../../db/repos/issuance/bulk-runs.ts'
import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import type { BulkFailure } from '../../../db/tables/issuance/bulk-issuances.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { bulkEndId, bulkKeptDays, bulkRunId, bulkSignedRows } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../../shared/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { minPauseMs, repeatSteps } from '../../repeat-steps.ts'
import { Postpone } from '../../serve.ts'
import { createTenantTurns } from '../../tenant-turns.ts'
import type { SigningDeps } from '../deps.ts'
import { commitRows } from './commit-rows.ts'
import { type SignedRows, signRows } from './sign-rows.ts'

type Run = Payload<'issueBulk'>

/** After this time the job is queued again, so that status lists and the bulk issuances of other tenants are not delayed. */
const maxTurnMs = 1_000

/** All slots of the queue. A tenant has one of them at most. */
const maxAtOnce = 2

/** Returns the handler of the job. In a process, the bulk issuances of tenants take turns. */
export function createIssueBulk(deps: SigningDeps, turnMs = maxTurnMs): (run: Run) => Promise<void> {
  const turns = createTenantTurns(maxAtOnce)
  return (run) => turns.take({ tenantId: run.tenantId, id: run.bulkId }, () => issueBulk(deps, run, turnMs))
}

/** Issues the rows of a bulk issuance in portions. The job can run any number of times. */
async function issueBulk(deps: SigningDeps, run: Run, turnMs: number): Promise<void> {
  const until = performance.now() + turnMs
  const pauseMs = await repeatSteps(() => issuePortion(deps, run), until, { isTimed: true })
  if (pauseMs === undefined) return
  // A job that is due at once is taken at once. BullMQ can take a second longer for one that is delayed.
  await sleep(pauseMs)
  throw new Postpone(0)
}

/**
 * Signs the next rows, and commits their credentials with the progress in one transaction. Therefore a killed worker leaves whole portions,
 * and no row gets two credentials. Returns the pause before the next portion, or undefined if nothing is left.
 */
export async function issuePortion(deps: SigningDeps, run: Run, maxRows = bulkSignedRows): Promise<number | undefined> {
  const { db, clock } = deps
  const { tenantId, bulkId } = run
  const [tenant, bulk] = await Promise.all([findTenant(db.read, tenantId), findBulkIssuance(db.read, tenantId, bulkId)])
  if (tenant?.state !== 'active' || bulk?.state !== 'running' || bulk.run !== run.run) return endJob(deps, run)
  const rows = await findRowsToIssue(db.read, bulk, maxRows)
  const configuration = await findConfiguration(db.read, tenantId, bulk.configurationIds[0] ?? '')
  const unusable = faultOf(configuration)
  if (!configuration || unusable) return pause(deps, run, unusable ?? missing)
  const signed = await signOrFail(deps, { tenantId, did: tenant.did }, configuration, rows)
  if ('code' in signed) return pause(deps, run, signed)
  const isLast = rows.length < maxRows
  const at = clock.now()
  const commitsFrom = performance.now()
  const committed = await db.tx(async (tx) => {
    const result = await commitRows(tx, deps.secrets, { bulk, configuration, rows, ...signed, isLast, at })
    if (isLast && result) await end(tx, bulk, at)
    return result
  })
  if (committed === 'certificate ended') deps.signerCache.clear()
  if (typeof committed !== 'object') return minPauseMs
  report(deps, bulk, configuration, committed)
  if (isLast) deps.bus.poke()
  return isLast ? undefined : Math.max(minPauseMs, performance.now() - commitsFrom)
}

const missing: BulkFailure = { code: 'unknown_configuration', message: 'The credential configuration was deleted.' }

function faultOf(configuration: ConfigurationRow | undefined): BulkFailure | undefined {
  if (!configuration) return missing
  const isBound = configuration.profile === 'sd-jwt' && isKeyBound(configuration)
  if (!isBound) return undefined
  return { code: 'key_binding', message: 'The configuration now requires a key of the holder.' }
}

/** Returns a failure if there is no signer for any of the rows. */
async function signOrFail(
  deps: SigningDeps,
  issuer: { tenantId: string; did: string },
  configuration: ConfigurationRow,
  rows: Parameters<typeof signRows>[3],
): Promise<SignedRows | BulkFailure> {
  try {
    return await signRows(deps, issuer, configuration, rows)
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'credential_request_denied') throw error
    return { code: 'no_signer', message: error.reason ?? error.message }
  }
}

/** The run of the job has ended, was paused or cancelled, or another one has started. */
async function endJob({ db }: SigningDeps, { bulkId, run }: Run): Promise<undefined> {
  await db.tx((tx) => removeFromOutbox(tx, [bulkRunId(bulkId, run)]))
}

/** Pauses a bulk issuance that cannot be issued at the moment. It can be resumed. */
async function pause(
  { db, clock }: SigningDeps,
  { tenantId, bulkId, run }: Run,
  failure: BulkFailure,
): Promise<undefined> {
  const expiresAt = plusMs(clock.now(), bulkKeptDays * dayMs)
  await db.tx(async (tx) => {
    await moveBulk(tx, tenantId, bulkId, { from: ['running'], state: 'paused', failure, expiresAt })
    await removeFromOutbox(tx, [bulkRunId(bulkId, run)])
  })
}

async function end(tx: Writer, { tenantId, id, run }: BulkIssuanceRow, at: Date): Promise<void> {
  const { done = 0, failed = 0 } = (await findBulkIssuance(tx, tenantId, id)) ?? {}
  const subjectId = bulkEndId({ bulkId: id, run, at, done, failed })
  await addToOutbox(tx, 'fanOut', [{ id: subjectId, payload: { tenantId, kind: 'bulk', subjectId } }], at)
  await removeFromOutbox(tx, [bulkRunId(id, run)])
}

/** Counts the credentials of a portion, and emits its event. A lost event changes nothing else. */
function report(
  { bus, clock, counts, log }: SigningDeps,
  { tenantId, id, run }: BulkIssuanceRow,
  { profile, id: configurationId }: ConfigurationRow,
  { done, failed }: { done: number; failed: number },
): void {
  if (done > 0) counts.issued({ tenantId, profile, askedBy: 'operator' }, done)
  for (let each = 0; each < failed; each++) counts.refused({ tenantId, profile })
  if (done + failed === 0) return
  const at = clock.now()
  const event = {
    id: newOrderedId(at),
    tenantId,
    type: 'BULK_ISSUANCE_PORTION_SUCCESS',
    category: 'BULK_ISSUANCE',
    timestamp: at.toISOString(),
    requestId: bulkRunId(id, run),
    data: { id, configurationId, done, failed },
  }
  bus.waitingEvents.append([event]).catch((error: unknown) => log.warn({ err: error }, 'event of a portion is lost'))
}
