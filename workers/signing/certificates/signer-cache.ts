import { LRUCache } from 'lru-cache'
import type { Signer } from '../keys/signer.ts'

/** A certificate of this service with its key. Signed data must be valid only within its times. */
export interface CertificateSigner {
  certificateId: string
  /** The authority that certified it. */
  caId: string
  certificateDer: Buffer
  /** The authority between the certificate and `caId`, if there is one. */
  intermediateDer: Buffer | null
  key: Signer
  notBefore: Date
  notAfter: Date
  country: string
  stateOrProvinceName?: string
}

/** Returns the `x5c` header of a JWS: the chain without the trust anchor, in base64 (HAIP 1.0, sections 4.1 and 6.1.1). */
export function x5cOf({ certificateDer, intermediateDer }: CertificateSigner): string[] {
  const chain = intermediateDer ? [certificateDer, intermediateDer] : [certificateDer]
  return chain.map((der) => der.toString('base64'))
}

/** Caches signers by tenant, kind and authority. */
export type SignerCache = LRUCache<string, CertificateSigner>

/** A signer that was revoked or deactivated can sign for this time. The commit of its signatures checks the certificate again. */
const cachedForMs = 1_000

export function createSignerCache(): SignerCache {
  return new LRUCache({ max: 5_000, ttl: cachedForMs })
}
