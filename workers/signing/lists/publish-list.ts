import { setImmediate } from 'node:timers/promises'
import {
  endPublication,
  findChanges,
  findListToPublish,
  findSetPositions,
  findSetStatuses,
  publishVersion,
} from '../../../db/repos/status/publishing.ts'
import { tokenListBits, tokenListSize } from '../../../shared/domain/status/status-lists.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { commitSigned } from './commit-signed.ts'
import { type ListDeps, type ListStatuses, signIssuerList } from './issuer-list.ts'

/** The changes of one version. The next version contains the others. */
const maxChanges = 50_000
/** On SQLite, reading a page blocks this process for about 5 ms. */
const pageSize = 50_000

/**
 * Publishes the next version of a list if it has changes or must be renewed. One of several concurrent calls publishes.
 *
 * The order of the reads is essential:
 * 1. The version, so that this list does not replace a newer one.
 * 2. The time. The list contains all changes that were answered before it.
 * 3. The changes.
 * 4. The entries, which include at least these changes.
 */
export async function publishList(
  deps: ListDeps,
  { tenantId, listId }: Payload<'publishList'>,
): Promise<'published' | 'late' | 'unneeded'> {
  const { db, clock } = deps
  const list = await findListToPublish(db.read, tenantId, listId)
  if (!list) return 'unneeded'
  const at = clock.now()
  if (isAuthorityEnded(list, at)) {
    await db.tx((tx) => endPublication(tx, tenantId, listId))
    return 'unneeded'
  }
  const changeIds = await findChanges(db.read, tenantId, listId, maxChanges)
  const isRenewalDue = list.renewAt !== null && list.renewAt <= at
  if (changeIds.length === 0 && !isRenewalDue) return 'unneeded'

  const hasSuspended = list.format !== null && tokenListBits(list.kind, list.format) > 1
  const readEntries = hasSuspended ? readSetStatuses : readSetPositions
  const entries = await readEntries(deps, tenantId, listId)
  const signed = await signIssuerList(deps, { tenantId, did: list.issuerDid }, list, { ...entries, at })
  if (signed.expiresAt && signed.expiresAt <= clock.now()) throw new Error('the list expired before it was published')

  const version = { content: { ...signed, issuedAt: at }, replaces: list.version, changeIds }
  const isPublished = await commitSigned(deps, { tenantId, listId }, signed, (tx) =>
    publishVersion(tx, tenantId, listId, version),
  )
  return isPublished ? 'published' : 'late'
}

/** Returns whether the list belongs to a certificate authority that has ended or does not exist any more. */
function isAuthorityEnded({ caId, caNotAfter }: ListToPublish, at: Date): boolean {
  return caId !== null && (caNotAfter === null || caNotAfter <= at)
}

type ListToPublish = NonNullable<Awaited<ReturnType<typeof findListToPublish>>>

type Entries = Pick<ListStatuses, 'positions' | 'suspended'>

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

/** Reads a list with more than one kind of status. Such a list is small enough for one page. */
async function readSetStatuses({ db }: ListDeps, tenantId: string, listId: string): Promise<Entries> {
  const entries = await findSetStatuses(db.read, tenantId, listId, -1, tokenListSize)
  const suspended = entries.filter(({ status }) => status === 'suspended')
  return {
    positions: entries.map(({ position }) => position),
    suspended: new Set(suspended.map(({ position }) => position)),
  }
}
