import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** A certificate of this service with its key. Signed data must be valid only within its times. */
export interface Signer {
  certificateId: string
  /** The authority that certified it. */
  caId: string
  certificateDer: Buffer
  /** The authority between the certificate and `caId`, if there is one. */
  intermediateDer: Buffer | null
  privateKey: KeyObject
  publicKey: KeyObject
  notBefore: Date
  notAfter: Date
  country: string
  stateOrProvinceName?: string
}

/** Returns the `x5c` header of a JWS: the chain without the trust anchor, in base64 (HAIP 1.0, sections 4.1 and 6.1.1). */
export function x5cOf({ certificateDer, intermediateDer }: Signer): string[] {
  const chain = intermediateDer ? [certificateDer, intermediateDer] : [certificateDer]
  return chain.map((der) => der.toString('base64'))
}

/** Caches signers by tenant, kind and authority. */
export type SignerCache = LRUCache<string, Signer>

/** A signer that was revoked or deactivated can sign for this time. The commit of its signatures checks the certificate again. */
const cachedForMs = 1_000

export function createSignerCache(): SignerCache {
  return new LRUCache({ max: 5_000, ttl: cachedForMs })
}
