import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openList, type Reserved, reserveIndexes } from '../../../db/repos/status/lists.ts'
import { permutation } from '../../../shared/formats/permutation.ts'
import { newId } from '../../../shared/ids.ts'
import type { Issuer } from '../issuer-key.ts'
import { commitSigned } from './commit-signed.ts'
import { type ListDeps, listUrl, signIssuerList } from './issuer-list.ts'
import type { ListSeries } from './list-series.ts'

/** The position of a credential in a status list. */
export interface StatusIndex {
  listId: string
  /** The URL of the list. */
  url: string
  /** The position in the list, from 0. */
  index: number
}

/**
 * Allocates status indexes for credentials that will be signed. An index is allocated once. The index of a credential that is not issued
 * stays unused.
 */
export interface StatusIndexAllocator {
  take(issuer: Issuer, series: ListSeries, count: number): Promise<StatusIndex[]>
}

/** Indexes are reserved in blocks, so that signatures do not wait for the row of the list. A process leaves at most 0.006 % of a list unused. */
const blockSize = 64

type Block = Omit<Reserved, 'list'> & { listId: string; url: string; numberOf(position: number): number }

export function createStatusIndexAllocator(deps: ListDeps): StatusIndexAllocator {
  const blocks = new LRUCache<string, Block[]>({ max: 10_000 })

  return {
    async take(issuer, series, count) {
      const key = [issuer.tenantId, series.kind, series.series].join(' ')
      const indexes: StatusIndex[] = []
      for (;;) {
        const kept = blocks.get(key) ?? []
        for (const block of kept) while (indexes.length < count && block.from < block.to) indexes.push(nextIndex(block))
        blocks.set(
          key,
          kept.filter(({ from, to }) => from < to),
        )
        if (indexes.length === count) return indexes
        const block = await reserve(deps, issuer, series, Math.max(blockSize, count - indexes.length))
        // Concurrent calls can have added blocks meanwhile.
        blocks.set(key, [...(blocks.get(key) ?? []), block])
      }
    },
  }
}

function nextIndex(block: Block): StatusIndex {
  return { listId: block.listId, url: block.url, index: block.numberOf(block.from++) }
}

async function reserve(deps: ListDeps, issuer: Issuer, series: ListSeries, count: number): Promise<Block> {
  for (;;) {
    const reserved = await deps.db.tx((tx) => reserveIndexes(tx, issuer.tenantId, series, count))
    if (reserved && 'list' in reserved) {
      const { list, from, to } = reserved
      const numberOf = permutation(Buffer.from(list.permutationKey, 'base64url'), list.size)
      return { listId: list.id, url: listUrl(deps, issuer, list), from, to, numberOf }
    }
    await open(deps, issuer, series, (reserved?.full ?? 0) + 1)
  }
}

/** Opens a list and publishes it empty, before the first credential refers to it. */
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
