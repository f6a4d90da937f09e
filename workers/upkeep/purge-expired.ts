import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { purgeBulkIssuances } from '../../db/retention/bulk-removal.ts'
import { findLatePurges, findOldestExpired } from '../../db/retention/oldest-expired.ts'
import { purgeOrphanedClaims } from '../../db/retention/orphaned-claims.ts'
import { type OwnerWalk, ownerWalks } from '../../db/retention/owner-walks.ts'
import { agingTables, type Purge, purgeAged, purgeIssuances, wipeIssuances } from '../../db/retention/purge-aged.ts'
import { purgeEvidence } from '../../db/retention/removal.ts'
import { contentRetentionMs } from '../../db/retention/retention-table.ts'
import { ageOf } from '../../db/retention/table-rules.ts'
import { readWalk, restartWalk, saveWalk } from '../../db/retention/walks.ts'
import { participantEvidence } from '../../db/tables/ecosystems/evidence.ts'
import { bulkIssuances } from '../../db/tables/issuance/bulk-issuances.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { type BatchResult, runBatchesUntil } from '../jobs/run-until.ts'
import { removeFailedJobs } from './remove-failed-jobs.ts'

/** A run ends before the next run starts. A time slice limits the time for one kind of row, so that other kinds do not wait longer. */
const limits = { runMs: 50_000, timeSliceMs: 2_000 }
/** The number of owners that one query reads. */
const pageSize = 200

/** The purge of one kind of row. */
interface Kind {
  /** The name for the log. */
  name: string
  /** The table, if an index finds its expired rows. */
  table?: PgTable
  /** Purges until no expired row is left or the time is up. */
  purge(until: number): Promise<BatchResult>
}

/** Collects the errors of a run. */
type Failed = (err: unknown, of: { kind: string; ownerId?: string }) => void

/**
 * Removes expired rows, kind by kind and round robin. Each kind has at least one time slice. Kinds with an index on their age come first.
 * Of these, only kinds with expired rows have time slices, because a time slice takes the lock for writes. If a kind or an owner fails, the
 * run logs the error, purges the others and throws the first error at its end.
 */
export async function purgeExpired(deps: WorkerDeps, { runMs, timeSliceMs } = limits): Promise<void> {
  const { db, clock, log } = deps
  const until = performance.now() + runMs
  const errors: unknown[] = []
  const failed: Failed = (err, of) => {
    log.error({ err, ...of }, 'purge failed')
    errors.push(err)
  }
  const waits = await findOldestExpired(db.read, clock.now())
  let kinds = kindsOf(deps, failed).filter(({ table }) => !table || waits.get(getTableName(table)) !== 0)
  let count = 0
  do {
    const unfinished: Kind[] = []
    for (const kind of kinds) {
      try {
        const done = await kind.purge(Math.min(until, performance.now() + timeSliceMs))
        count += done.count
        if (!done.isAll) unfinished.push(kind)
      } catch (err) {
        failed(err, { kind: kind.name })
      }
    }
    kinds = unfinished
  } while (kinds.length > 0 && performance.now() < until)
  if (count > 0) log.debug({ count, isAll: kinds.length === 0 }, 'expired rows purged')
  const late = await findLatePurges(db.read, clock.now())
  if (late.length > 0) log.warn({ tables: late }, 'purge is late')
  if (errors.length > 0) throw errors[0]
}

function kindsOf(deps: WorkerDeps, failed: Failed): Kind[] {
  const at = deps.clock.now()
  const kindOf = (table: PgTable, purge: Purge, retentionMs: number, name = getTableName(table)): Kind => {
    const before = plusMs(at, -retentionMs)
    return { name, table, purge: (until) => runBatchesUntil(deps, (tx, max) => purge(tx, before, max), until) }
  }
  return [
    ...agingTables.map((aging) => kindOf(aging.table, purgeAged(aging), aging.afterMs)),
    kindOf(issuances, wipeIssuances, contentRetentionMs, 'issuance contents'),
    kindOf(participantEvidence, purgeEvidence, ageOf(participantEvidence)),
    kindOf(bulkIssuances, purgeBulkIssuances, ageOf(bulkIssuances)),
    kindOf(issuances, purgeIssuances, ageOf(issuances)),
    ...ownerWalks.map((walk) => kindOfWalk(deps, walk, at, failed)),
    {
      name: 'orphaned claims',
      purge: async () => ({ count: await purgeOrphanedClaims(deps.db, at), isAll: true }),
    },
    // The next run removes the rest.
    { name: 'failed jobs', purge: async () => ({ count: await removeFailedJobs(deps.bus), isAll: true }) },
  ]
}

function kindOfWalk(deps: WorkerDeps, walk: OwnerWalk, at: Date, failed: Failed): Kind {
  const name = getTableName(walk.table)
  /** The owners whose rows could not be purged in this run. */
  const failedOwners = new Set<string>()
  const ownerFailed = (ownerId: string, err: unknown) => {
    failedOwners.add(ownerId)
    failed(err, { kind: name, ownerId })
  }
  return { name, purge: (until) => walkOwners(deps, { walk, at, failedOwners, ownerFailed }, until) }
}

interface OwnersToPurge {
  walk: OwnerWalk
  at: Date
  failedOwners: ReadonlySet<string>
  ownerFailed(ownerId: string, err: unknown): void
}

/**
 * Purges rows owner by owner, starting behind the owner of the last time slice. Ends after the last owner, or when the time is up after at
 * least one owner. An owner that fails does not stop the walk. The next run tries that owner again.
 */
async function walkOwners(deps: WorkerDeps, owners: OwnersToPurge, until: number): Promise<BatchResult> {
  const { walk, at, failedOwners, ownerFailed } = owners
  const { db } = deps
  const before = plusMs(at, -walk.afterMs)
  const state = await readWalk(db.read, getTableName(walk.table), at)
  const save = (saved: typeof state) => db.tx((tx) => saveWalk(tx, saved))
  let count = 0
  for (;;) {
    const page = await walk.page(db.read, state.cursor, before, pageSize)
    for (const { id, isDue, purge } of page) {
      if (isDue && !failedOwners.has(id)) {
        try {
          const done = await runBatchesUntil(deps, (tx, max) => purge(tx, before, max), until)
          count += done.count
          state.hasLeft ||= !done.isAll
        } catch (err) {
          ownerFailed(id, err)
        }
      }
      state.hasLeft ||= failedOwners.has(id)
      state.cursor = id
      if (performance.now() < until) continue
      await save(state)
      return { count, isAll: false }
    }
    if (page.length === pageSize) continue
    await save(restartWalk(state))
    // A walk with a failed owner starts again in the next run only.
    return { count, isAll: !state.hasLeft || failedOwners.size > 0 }
  }
}
