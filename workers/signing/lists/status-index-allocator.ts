import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openList, type Reserved, reservePlaces } from '../../../db/repos/status/lists.ts'
import { permutation } from '../../../shared/formats/permutation.ts'
import { newId } from '../../../shared/ids.ts'
import type { Issuer } from '../issuer-key.ts'
import { commitSigned } from './commit-signed.ts'
import { type ListDeps, listUrl, signIssuerList } from './issuer-list.ts'
import type { ListSeries } from './list-series.ts'

/** Where the status of a credential will stand. */
export interface StatusIndex {
  listId: string
  /** The list's address. */
  url: string
  /** In the list, from 0. */
  index: number
}

/**
 * Gives places in status lists to credentials that are about to be signed, each once and never again: those of a credential
 * that then is not issued are lost.
 */
export interface StatusIndexAllocator {
  take(issuer: Issuer, series: ListSeries, count: number): Promise<StatusIndex[]>
}

/** Reserved at once, so that signatures do not queue for the list's row: what a process leaves unused is 0.006 % of a list of a million. */
const blockSize = 64

type Block = Omit<Reserved, 'list'> & { listId: string; url: string; numberOf(place: number): number }

export function createStatusIndexAllocator(deps: ListDeps): StatusIndexAllocator {
  const blocks = new LRUCache<string, Block[]>({ max: 10_000 })

  return {
    async take(issuer, series, count) {
      const key = [issuer.tenantId, series.kind, series.series].join(' ')
      const places: StatusIndex[] = []
      for (;;) {
        const kept = blocks.get(key) ?? []
        for (const block of kept) while (places.length < count && block.from < block.to) places.push(placeOf(block))
        blocks.set(
          key,
          kept.filter(({ from, to }) => from < to),
        )
        if (places.length === count) return places
        const block = await reserve(deps, issuer, series, Math.max(blockSize, count - places.length))
        // Others may have reserved meanwhile.
        blocks.set(key, [...(blocks.get(key) ?? []), block])
      }
    },
  }
}

function placeOf(block: Block): StatusIndex {
  return { listId: block.listId, url: block.url, index: block.numberOf(block.from++) }
}

async function reserve(deps: ListDeps, issuer: Issuer, series: ListSeries, count: number): Promise<Block> {
  for (;;) {
    const reserved = await deps.db.tx((tx) => reservePlaces(tx, issuer.tenantId, series, count))
    if (reserved && 'list' in reserved) {
      const { list, from, to } = reserved
      const numberOf = permutation(Buffer.from(list.permutationKey, 'base64url'), list.size)
      return { listId: list.id, url: listUrl(deps, issuer, list), from, to, numberOf }
    }
    await open(deps, issuer, series, (reserved?.full ?? 0) + 1)
  }
}

/** With its empty list published: it is there before the first credential names it. */
async function open(deps: ListDeps, issuer: Issuer, series: ListSeries, number: number): Promise<void> {
  const { tenantId } = issuer
  const at = deps.clock.now()
  const { ttlDays, expiryDays, ...stored } = series
  const list = { ...stored, id: newId(), tenantId, number, taken: 0, permutationKey: newKey(), createdAt: at }
  const signed = await signIssuerList(deps, issuer, { ...list, ttlDays, expiryDays }, { positions: [], at })
  const published = { listId: list.id, tenantId, version: 1, issuedAt: at, ...signed }
  await commitSigned(deps, { tenantId, listId: list.id }, signed, (tx) => openList(tx, list, published))
}

function newKey(): string {
  return randomBytes(32).toString('base64url')
}
