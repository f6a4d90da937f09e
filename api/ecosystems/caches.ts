import { LRUCache } from 'lru-cache'
import type { Reader } from '../../db/client.ts'
import { findPolicyContent } from '../../db/repos/ecosystems/policies.ts'
import { findPublishedTrustedList, findTrustedListContent } from '../../db/repos/ecosystems/trusted-lists.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'

export interface EcosystemCaches {
  /** Published trusted lists, by tenant, ecosystem, kind and number or `latest`. `fetch` queries the database for the current one. */
  trustedLists: LRUCache<string, CachedTrustedList, TrustedListQuery>
  /** The parsed content of a list by its id, or the difference of two lists by both ids. `fetch` parses once for all requests that wait. */
  readLists: LRUCache<string, CachedListContent, ListContentSource>
  /** Published policies, by tenant and id. A published policy never changes. */
  policies: LRUCache<string, CachedPolicy, PolicyQuery>
}

/** A trusted list. The object stays the same for as long as it is the same list. */
export interface CachedTrustedList {
  id: string
  date: Date
  content: Buffer
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

export interface TrustedListQuery {
  db: Reader
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  number: number | 'latest'
}

/** The content of a list as JSON. */
export interface CachedListContent {
  content: Uint8Array
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

export interface ListContentSource {
  read(): Promise<Uint8Array | undefined>
}

export interface CachedPolicy {
  content: Buffer
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

export interface PolicyQuery {
  db: Reader
  tenantId: string
  id: string
}

const listTtlMs = 500
const maxTrustedListBytes = 128_000_000
const maxReadListBytes = 32_000_000
const maxPolicyBytes = 128_000_000

/** Twice the length: the compressed content takes at most as much memory again. */
function sizeInMemory(content: Uint8Array): number {
  return 2 * content.length
}

export function createEcosystemCaches(): EcosystemCaches {
  return {
    trustedLists: new LRUCache({
      maxSize: maxTrustedListBytes,
      sizeCalculation: ({ content }) => sizeInMemory(content),
      ttl: listTtlMs,
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, cached, { context: { db, tenantId, ecosystemId, kind, number } }) {
        const list = await findPublishedTrustedList(db, tenantId, ecosystemId, kind, number)
        if (!list || cached?.id === list.id) return list && cached
        const content = await findTrustedListContent(db, tenantId, list.id)
        return content && { id: list.id, date: list.date, content }
      },
      ignoreFetchAbort: true,
    }),
    readLists: new LRUCache({
      maxSize: maxReadListBytes,
      sizeCalculation: ({ content }) => sizeInMemory(content),
      async fetchMethod(_key, _cached, { context: { read } }) {
        const content = await read()
        return content && { content }
      },
      ignoreFetchAbort: true,
    }),
    policies: new LRUCache({
      maxSize: maxPolicyBytes,
      sizeCalculation: ({ content }) => sizeInMemory(content),
      async fetchMethod(_key, _cached, { context: { db, tenantId, id } }) {
        const content = await findPolicyContent(db, tenantId, id)
        return content && { content }
      },
      ignoreFetchAbort: true,
    }),
  }
}
