import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** A certificate of ours with its key. What is signed with it is to lie within its times. */
export interface Signer {
  certificateId: string
  /** The authority that certified it. */
  caId: string
  certificateDer: Buffer
  /** Of the authority between it and `caId`, where there is one. */
  intermediateDer: Buffer | null
  privateKey: KeyObject
  publicKey: KeyObject
  notBefore: Date
  notAfter: Date
  country: string
  stateOrProvinceName?: string
}

/** Which signers were found, by tenant, kind and authority. */
export type SignerCache = LRUCache<string, Signer>

/** How long a signer may go on that was revoked or made inactive meanwhile: what is committed asks once more. */
const seenForMs = 1_000

export function createSignerCache(): SignerCache {
  return new LRUCache({ max: 5_000, ttl: seenForMs })
}
