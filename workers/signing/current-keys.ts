import { LRUCache } from 'lru-cache'
import type { Reader } from '../../db/client.ts'
import { findSigningKeyId, type KeyOwner, type KeyUse } from '../../db/repos/identifiers/keys.ts'
import type { Keyring, SigningKey } from './keyring.ts'

/** Which key signs where nothing but its owner and its use is known. What names a key of its own asks the keyring. */
export interface CurrentKeys {
  /** The newest key of an owner for a use. Throws when it has none. */
  of(db: Reader, tenantId: string, owner: KeyOwner, use: KeyUse): Promise<SigningKey>
  /** To be called when an owner's keys changed. */
  forget(): void
}

/** Another process may rotate a key: which one signs is asked again after so long. */
const seenForMs = 5_000

export function createCurrentKeys(keyring: Keyring): CurrentKeys {
  const ids = new LRUCache<string, string>({ max: 2_000, ttl: seenForMs })

  return {
    async of(db, tenantId, owner, use) {
      const { purpose, algorithm } = use
      const cacheKey = [tenantId, owner.kind, owner.id, purpose, algorithm].join(' ')
      const known = ids.get(cacheKey)
      if (known !== undefined) return keyring.key(db, tenantId, known)
      const id = await findSigningKeyId(db, tenantId, owner, use)
      if (id === undefined) {
        throw new Error(`${owner.kind} ${owner.id || tenantId} has no ${algorithm} key for ${purpose}`)
      }
      const key = await keyring.key(db, tenantId, id)
      ids.set(cacheKey, id)
      return key
    },
    forget: () => ids.clear(),
  }
}
