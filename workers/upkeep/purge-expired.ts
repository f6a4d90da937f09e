import { getTableName } from 'drizzle-orm'
import { findLatePurges } from '../../db/retention/oldest-expired.ts'
import { purgeOrphanedClaims } from '../../db/retention/orphaned-claims.ts'
import { type OwnerWalk, ownerWalks } from '../../db/retention/owner-walks.ts'
import { agingTables, type Purge, purgeAged, purgeIssuances, wipeIssuances } from '../../db/retention/purge-aged.ts'
import { purgeEvidence } from '../../db/retention/removal.ts'
import { ageOf, contentRetentionMs } from '../../db/retention/retention-table.ts'
import { readWalk, restartWalk, saveWalk } from '../../db/retention/walks.ts'
import { participantEvidence } from '../../db/tables/ecosystems/evidence.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { plusMs } from '../../shared/clock.ts'
import type { WorkerDeps } from '../handlers.ts'
import { type Done, inBatches } from './in-batches.ts'

/** A run ends before the next one, which goes on where it stopped. One kind of row does not keep the others waiting for longer than a turn. */
const limits = { runMs: 50_000, turnMs: 2_000 }
/** Owners that one query looks at. */
const pageSize = 200

/** Purges one kind of row until nothing is left or the time is up. */
type Turn = (until: number) => Promise<Done>

/** Removes expired rows, kind by kind, in turns. Each kind has at least one turn: those whose age has an index of its own come first. */
export async function purgeExpired(deps: WorkerDeps, { runMs, turnMs } = limits): Promise<void> {
  const { db, clock, log } = deps
  const until = performance.now() + runMs
  let turns = turnsOf(deps)
  let count = 0
  do {
    const unfinished: Turn[] = []
    for (const turn of turns) {
      const done = await turn(Math.min(until, performance.now() + turnMs))
      count += done.count
      if (!done.isAll) unfinished.push(turn)
    }
    turns = unfinished
  } while (turns.length > 0 && performance.now() < until)
  if (count > 0) log.debug({ count, isAll: turns.length === 0 }, 'purged')
  const late = await findLatePurges(db.read, clock.now())
  if (late.length > 0) log.warn({ tables: late }, 'expired rows have waited for more than an hour to be purged')
}

function turnsOf(deps: WorkerDeps): Turn[] {
  const at = deps.clock.now()
  const turnOf = (purge: Purge, keptForMs: number): Turn => {
    const before = plusMs(at, -keptForMs)
    return (until) => inBatches(deps, (tx, most) => purge(tx, before, most), until)
  }
  return [
    ...agingTables.map((aging) => turnOf(purgeAged(aging), aging.afterMs)),
    turnOf(wipeIssuances, contentRetentionMs),
    turnOf(purgeEvidence, ageOf(participantEvidence)),
    turnOf(purgeIssuances, ageOf(issuances)),
    ...ownerWalks.map(
      (walk): Turn =>
        (until) =>
          walkOwners(deps, walk, at, until),
    ),
    async () => ({ count: await purgeOrphanedClaims(deps.db, at), isAll: true }),
  ]
}

/** Purges rows owner by owner, from where the last turn stopped to the last owner, or until the time is up after one owner or more. */
async function walkOwners(deps: WorkerDeps, walk: OwnerWalk, at: Date, until: number): Promise<Done> {
  const { db } = deps
  const before = plusMs(at, -walk.afterMs)
  const state = await readWalk(db.read, getTableName(walk.table), at)
  const save = (saved: typeof state) => db.tx((tx) => saveWalk(tx, saved))
  let count = 0
  for (;;) {
    const owners = await walk.page(db.read, state.cursor, before, pageSize)
    for (const { id, isDue, purge } of owners) {
      if (isDue) {
        const done = await inBatches(deps, (tx, most) => purge(tx, before, most), until)
        count += done.count
        state.hasLeft ||= !done.isAll
      }
      state.cursor = id
      if (performance.now() < until) continue
      await save(state)
      return { count, isAll: false }
    }
    if (owners.length === pageSize) continue
    await save(restartWalk(state))
    return { count, isAll: !state.hasLeft }
  }
}
