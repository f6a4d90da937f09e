import { LRUCache } from 'lru-cache'
import type { Tenant } from './subjects.ts'

export interface AccessCaches {
  /** Tenants by host. Expired ones stay for events of requests that cannot read their tenant. */
  tenants: LRUCache<string, Tenant>
  /** Verified management tokens, by tenant and hash of the token. */
  managementTokens: LRUCache<string, VerifiedToken>
}

/** A management token whose signature this process has verified. The signature of a token never changes. */
export interface VerifiedToken {
  clientId: string
  keyId: string
  expiresAt: number
}

/** A change by another process is visible after this time. A process that changes a tenant deletes its own entry at once. */
const tenantTtlMs = 1_000

export function createAccessCaches(): AccessCaches {
  return {
    tenants: new LRUCache({ max: 1_000, ttl: tenantTtlMs, noDeleteOnStaleGet: true }),
    managementTokens: new LRUCache({ max: 10_000 }),
  }
}
