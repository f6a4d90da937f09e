import { setImmediate } from 'node:timers/promises'
import {
  findChanges,
  findListToPublish,
  findSetPositions,
  publishVersion,
} from '../../../db/repos/status/publishing.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { WorkerDeps } from '../../handlers.ts'
import { type ListDeps, signIssuerList } from './issuer-list.ts'

type PublishingDeps = ListDeps & Pick<WorkerDeps, 'clock'>

/** What more of them there are is for the next version. */
const mostChanges = 50_000
/** On SQLite, everybody else in this process waits while a page is read: some 5 ms. */
const pageSize = 50_000

/**
 * Publishes the next version of a list, if it has changes or is to be made anew. Of any number of these at once, one publishes. The order
 * of reading makes the promise: the version first, so that nothing older replaces it; then the time, before which everything that
 * was answered is in the list; then the changes, and the entries last, which show at least what the changes did.
 */
export async function publishList(
  deps: PublishingDeps,
  { tenantId, listId }: Payload<'publishList'>,
): Promise<'published' | 'late' | 'unneeded'> {
  const { db, clock } = deps
  const list = await findListToPublish(db.read, tenantId, listId)
  if (!list) return 'unneeded'
  const at = clock.now()
  const shows = await findChanges(db.read, tenantId, listId, mostChanges)
  if (shows.length === 0 && !(list.renewAt && list.renewAt <= at)) return 'unneeded'
  const positions = await readSetPositions(deps, tenantId, listId)
  const signed = await signIssuerList(deps, { tenantId, did: list.issuerDid }, list, { positions, at })
  if (signed.expiresAt && signed.expiresAt <= clock.now()) throw new Error('the list ended before it was published')
  const version = { content: { ...signed, issuedAt: at }, replaces: list.version, shows }
  return (await db.tx((tx) => publishVersion(tx, tenantId, listId, version))) ? 'published' : 'late'
}

async function readSetPositions({ db }: PublishingDeps, tenantId: string, listId: string): Promise<number[]> {
  const positions: number[] = []
  for (let last = -1; ; ) {
    const page = await findSetPositions(db.read, tenantId, listId, last, pageSize)
    for (const position of page) {
      positions.push(position)
      last = Math.max(last, position)
    }
    if (page.length < pageSize) return positions
    await setImmediate()
  }
}
