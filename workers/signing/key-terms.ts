import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/client.ts'
import { extendPublication } from '../../db/repos/identifiers/keys.ts'
import { plusMs } from '../../shared/clock.ts'

/**
 * For how long the keys of tenants' DIDs have to be published: until nothing that they signed can be valid any more. It stands
 * in the key's row before anything is signed that makes it longer. So it needs no walk through the credentials that there are,
 * and is true of those whose records were deleted.
 */
export interface KeyTerms {
  /** To be called before a key signs what is valid until then; undefined where it has no end. */
  extendTo(tenantId: string, keyId: string, validUntil: Date | undefined): Promise<void>
}

/** Written ahead: so that what is always valid for as long makes one write a day. */
const aheadMs = 24 * 3_600_000

/** What ends later has no end: databases know years of four digits. */
const farthest = new Date('9999-01-01')

export function createKeyTerms(db: Database): KeyTerms {
  /** At least so long, in milliseconds. */
  const known = new LRUCache<string, number>({ max: 5_000 })

  return {
    async extendTo(tenantId, keyId, end) {
      const validUntil = end && end < farthest ? end : undefined
      const name = `${tenantId} ${keyId}`
      if ((known.get(name) ?? 0) >= (validUntil?.getTime() ?? Infinity)) return
      const until = validUntil ? plusMs(validUntil, aheadMs) : null
      await db.tx((tx) => extendPublication(tx, tenantId, keyId, until))
      known.set(name, Math.max(known.get(name) ?? 0, until?.getTime() ?? Infinity))
    },
  }
}
