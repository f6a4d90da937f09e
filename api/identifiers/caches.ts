import { LRUCache } from 'lru-cache'

export interface IdentifierCaches {
  /** Signed domain linkage documents, by tenant and day. */
  domainLinkages: LRUCache<string, Promise<Record<string, unknown>>>
}

export function createIdentifierCaches(): IdentifierCaches {
  return { domainLinkages: new LRUCache({ max: 1_000 }) }
}
