import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/client.ts'
import { extendPublication } from '../../db/repos/identifiers/keys.ts'
import { plusMs } from '../../shared/clock.ts'

/**
 * Stores until when the keys of DIDs must be published: until nothing that they signed can be valid. The row of a key is extended before the
 * key signs. Therefore no search through credentials is needed, and credentials with deleted records count too.
 */
export interface KeyTerms {
  /** Call this before a key signs something that is valid until `validUntil`, or without an end. */
  extendTo(tenantId: string, keyId: string, validUntil: Date | undefined): Promise<void>
}

/** The term is extended by a day more, so that signatures with a constant validity cause one write a day. */
const aheadMs = 24 * 3_600_000

/** A later end counts as no end, because databases store years of four digits. */
const farthest = new Date('9999-01-01')

export function createKeyTerms(db: Database): KeyTerms {
  /** The stored terms that this process knows, in milliseconds. */
  const storedTerms = new LRUCache<string, number>({ max: 5_000 })

  return {
    async extendTo(tenantId, keyId, end) {
      const validUntil = end && end < farthest ? end : undefined
      const name = `${tenantId} ${keyId}`
      if ((storedTerms.get(name) ?? 0) >= (validUntil?.getTime() ?? Infinity)) return
      const until = validUntil ? plusMs(validUntil, aheadMs) : null
      await db.tx((tx) => extendPublication(tx, tenantId, keyId, until))
      storedTerms.set(name, Math.max(storedTerms.get(name) ?? 0, until?.getTime() ?? Infinity))
    },
  }
}
