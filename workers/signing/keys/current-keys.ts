import { LRUCache } from 'lru-cache'
import type { Reader } from '../../../db/client.ts'
import { findSigningKeyId, type KeyOwner, type KeyUse } from '../../../db/repos/identifiers/keys.ts'
import type { Keyring } from './keyring.ts'
import type { Signer } from './signer.ts'

/** Finds the current key of an owner and a use. A caller that knows the id of a key uses the keyring. */
export interface CurrentKeys {
  /** Returns the newest key of an owner for a use. Throws if it has none. */
  of(db: Reader, tenantId: string, owner: KeyOwner, use: KeyUse): Promise<Signer>
  /** Clears the cache. Call it after the keys of an owner changed. */
  forget(): void
}

/** The id of a key is read again after this time, because another process can rotate the key. */
const cachedForMs = 5_000

export function createCurrentKeys(keyring: Keyring): CurrentKeys {
  const ids = new LRUCache<string, string>({ max: 2_000, ttl: cachedForMs })

  return {
    async of(db, tenantId, owner, use) {
      const { purpose, algorithm } = use
      const cacheKey = [tenantId, owner.kind, owner.id, purpose, algorithm].join(' ')
      const cachedId = ids.get(cacheKey)
      if (cachedId !== undefined) return keyring.signer(db, tenantId, cachedId)
      const id = await findSigningKeyId(db, tenantId, owner, use)
      if (id === undefined) {
        throw new Error(`${owner.kind} ${owner.id || tenantId} has no ${algorithm} key for ${purpose}`)
      }
      const key = await keyring.signer(db, tenantId, id)
      ids.set(cacheKey, id)
      return key
    },
    forget: () => ids.clear(),
  }
}
