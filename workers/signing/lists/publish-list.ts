import { setImmediate } from 'node:timers/promises'
import {
  endPublication,
  findChanges,
  findListToPublish,
  findSetPositions,
  findSetStatuses,
  publishVersion,
} from '../../../db/repos/status/publishing.ts'
import { tokenListSize } from '../../../shared/domain/status/status-lists.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { commitSigned } from './commit-signed.ts'
import { type ListDeps, type Said, signIssuerList } from './issuer-list.ts'

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
  deps: ListDeps,
  { tenantId, listId }: Payload<'publishList'>,
): Promise<'published' | 'late' | 'unneeded'> {
  const { db, clock } = deps
  const list = await findListToPublish(db.read, tenantId, listId)
  if (!list) return 'unneeded'
  const at = clock.now()
  if (list.caId !== null && !(list.caNotAfter && list.caNotAfter > at)) {
    await db.tx((tx) => endPublication(tx, tenantId, listId))
    return 'unneeded'
  }
  const shows = await findChanges(db.read, tenantId, listId, mostChanges)
  if (shows.length === 0 && !(list.renewAt && list.renewAt <= at)) return 'unneeded'
  const entries = await (list.format === 'legacy' ? readSetStatuses : readSetPositions)(deps, tenantId, listId)
  const signed = await signIssuerList(deps, { tenantId, did: list.issuerDid }, list, { ...entries, at })
  if (signed.expiresAt && signed.expiresAt <= clock.now()) throw new Error('the list ended before it was published')
  const version = { content: { ...signed, issuedAt: at }, replaces: list.version, shows }
  const isPublished = await commitSigned(deps, { tenantId, listId }, signed, (tx) =>
    publishVersion(tx, tenantId, listId, version),
  )
  return isPublished ? 'published' : 'late'
}

type Entries = Pick<Said, 'positions' | 'suspended'>

async function readSetPositions({ db }: ListDeps, tenantId: string, listId: string): Promise<Entries> {
  const positions: number[] = []
  for (let last = -1; ; ) {
    const page = await findSetPositions(db.read, tenantId, listId, last, pageSize)
    for (const position of page) {
      positions.push(position)
      last = Math.max(last, position)
    }
    if (page.length < pageSize) return { positions }
    await setImmediate()
  }
}

/** Of a list that tells more than one status. It is small enough to be one page. */
async function readSetStatuses({ db }: ListDeps, tenantId: string, listId: string): Promise<Entries> {
  const entries = await findSetStatuses(db.read, tenantId, listId, -1, tokenListSize)
  const suspended = entries.filter(({ status }) => status === 'suspended')
  return {
    positions: entries.map(({ position }) => position),
    suspended: new Set(suspended.map(({ position }) => position)),
  }
}
