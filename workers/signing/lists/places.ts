import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openList, reservePlaces } from '../../../db/repos/status/lists.ts'
import { numbersOf } from '../../../shared/formats/permutation.ts'
import { newId } from '../../../shared/ids.ts'
import type { Issuer } from '../issuer-key.ts'
import { commitSigned } from './commit-signed.ts'
import { type ListDeps, listUrl, signIssuerList } from './issuer-list.ts'
import type { ListSeries } from './list-series.ts'

/** Where the status of a credential will stand. */
export interface Place {
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
export interface Places {
  take(issuer: Issuer, series: ListSeries, count: number): Promise<Place[]>
}

/** Reserved at once, so that signatures do not queue for the list's row: what a process leaves unused is 0.006 % of a list of a million. */
const blockSize = 64

/** `numbers` are those of the places that were not given yet. */
type Block = { listId: string; url: string; numbers: number[] }

export function createPlaces(deps: ListDeps): Places {
  const blocks = new LRUCache<string, Block[]>({ max: 10_000 })

  return {
    async take(issuer, series, count) {
      const key = [issuer.tenantId, series.kind, series.series].join(' ')
      const places: Place[] = []
      for (;;) {
        const kept = blocks.get(key) ?? []
        for (const block of kept) places.push(...takeFrom(block, count - places.length))
        blocks.set(
          key,
          kept.filter(({ numbers }) => numbers.length > 0),
        )
        if (places.length === count) return places
        const block = await reserve(deps, issuer, series, Math.max(blockSize, count - places.length))
        // Others may have reserved meanwhile.
        blocks.set(key, [...(blocks.get(key) ?? []), block])
      }
    },
  }
}

function takeFrom({ listId, url, numbers }: Block, most: number): Place[] {
  return numbers.splice(0, most).map((index) => ({ listId, url, index }))
}

async function reserve(deps: ListDeps, issuer: Issuer, series: ListSeries, count: number): Promise<Block> {
  for (;;) {
    const reserved = await deps.db.tx((tx) => reservePlaces(tx, issuer.tenantId, series, count))
    if (reserved && 'list' in reserved) {
      const { list } = reserved
      const numbers = numbersOf(Buffer.from(list.permutationKey, 'base64url'), list.size, reserved)
      return { listId: list.id, url: listUrl(deps, issuer, list), numbers }
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
