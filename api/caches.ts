import { LRUCache } from 'lru-cache'
import type { Configuration } from 'openid-client'
import type { Reader } from '../db/client.ts'
import { findPolicyContent } from '../db/repos/ecosystems/policies.ts'
import { findPublishedTrustedList, findTrustedListContent } from '../db/repos/ecosystems/trusted-lists.ts'
import type { ConfigurationRow } from '../db/repos/issuance/configurations.ts'
import { findPublishedList, type PublishedList } from '../db/repos/status/published-lists.ts'
import type { StatusListKind } from '../db/tables/status/lists.ts'
import type { TrustedListKind } from '../shared/formats/trusted-lists/kinds.ts'
import type { Tenant } from './access/subjects.ts'
import type { PublishedMetadata } from './issuance/metadata/schemas.ts'

/** The in-memory caches of one web process. */
export interface Caches {
  /** By host. */
  tenants: LRUCache<string, Tenant>
  /** By tenant and id. */
  configurations: LRUCache<string, ConfigurationRow>
  /** By tenant. The value has the scope of each configuration by its id. */
  scopes: LRUCache<string, Promise<ReadonlyMap<string, string>>>
  /** By tenant. A change of anything that the metadata contains deletes the entry. */
  metadata: LRUCache<string, KeptMetadata>
  /** By tenant and the token's hash. */
  managementTokens: LRUCache<string, VerifiedToken>
  /** By tenant, content and time. */
  signedMetadata: LRUCache<string, Promise<string>>
  /** By tenant and day. */
  domainLinkages: LRUCache<string, Promise<Record<string, unknown>>>
  /** By all settings of the provider. */
  providers: LRUCache<string, Promise<Configuration>>
  /** By claim source and the authorization that the token was issued for. */
  accessTokens: LRUCache<string, KnownToken>
  /** By tenant, kind and id. `fetch` queries the database once for all concurrent requests of the same list. */
  publishedLists: LRUCache<string, KeptList, PublishedAsked>
  /** Lists of ecosystems, by tenant, ecosystem, kind and number, or `latest`. `fetch` queries the database. */
  trustedLists: LRUCache<string, KeptTrustedList, TrustedListAsked>
  /**
   * The content of a list by the id of the list, or the changes between two lists by both ids. `fetch` reads once for all
   * concurrent requests.
   */
  readLists: LRUCache<string, KeptContent, ReadsLists>
  /** Policies of ecosystems, by tenant and id. A published policy does not change. `fetch` reads once for all concurrent requests. */
  policies: LRUCache<string, KeptPolicy, PolicyAsked>
  /** By the encoded text. */
  qrCodes: LRUCache<string, QrDrawing>
  /** By external URL. `fetch` loads a logo once for all concurrent requests. */
  logos: LRUCache<string, KeptLogo, LoadsLogo>
}

export interface KeptLogo {
  /** Absent if no logo could be loaded. */
  type?: string
  bytes: Buffer
}

export interface LoadsLogo {
  load(): Promise<KeptLogo>
}

/** A QR code of `size` by `size` modules. `path` outlines the dark modules. */
export interface QrDrawing {
  size: number
  path: string
}

export interface KeptMetadata {
  published: Promise<PublishedMetadata>
  /** Set when `published` resolves. */
  lengthBytes: number
}

/** A published list. The object stays the same as long as the version stays the same. */
export interface KeptList extends PublishedList {
  /** The compressed content. Set at the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

/** A published list of an ecosystem. The object stays the same as long as the list stays the same. */
export interface KeptTrustedList {
  id: string
  date: Date
  content: Buffer
  /** The compressed content. Set at the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

/** Which list to read, and from which database. */
export interface TrustedListAsked {
  db: Reader
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  number: number | 'latest'
}

/** The content in JSON. */
export interface KeptContent {
  content: Uint8Array
  /** The compressed content. Set at the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

export interface ReadsLists {
  read(): Promise<Uint8Array | undefined>
}

export interface KeptPolicy {
  content: Buffer
  /** The compressed content. Set at the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

export interface PolicyAsked {
  db: Reader
  tenantId: string
  id: string
}

/** A management token whose signature this process has verified. The signature of a token does not change. */
export interface VerifiedToken {
  clientId: string
  keyId: string
  expiresAt: number
}

/** Which list to read, and from which database. */
export interface PublishedAsked {
  db: Reader
  tenantId: string
  kind: StatusListKind
  id: string
}

/** An access token for a claim source. */
export interface KnownToken {
  token: Promise<string>
  /** Undefined while the token is being requested. In the past if the provider did not return an expiry. */
  expiresAt: Date | undefined
}

/** How long this process may serve a value that another process has changed. A change in this process clears the entry at once. */
const seenForMs = 1000
/** The TTL of a list. Together with the query it stays below the one second in which a publication must become visible. */
const listSeenForMs = 500
const metadataMaxBytes = 64_000_000
const listsMaxBytes = 64_000_000
const trustedListsMaxBytes = 128_000_000
const readListsMaxBytes = 32_000_000
const policiesMaxBytes = 128_000_000
const logosMaxBytes = 32_000_000
const logosKeptForMs = 3_600_000
const noLogoKeptForMs = 60_000
const qrCodesMaxBytes = 16_000_000
/** The lifetime of most offers. */
const qrCodesKeptForMs = 10 * 60_000
/** Providers rarely change their keys and endpoints. The library fetches an unknown key again. */
const providerKnownForMs = 10 * 60_000

export function createCaches(): Caches {
  return {
    tenants: new LRUCache({ max: 1_000, ttl: seenForMs }),
    configurations: new LRUCache({ max: 5_000, ttl: seenForMs }),
    scopes: new LRUCache({ max: 1_000, ttl: seenForMs }),
    metadata: new LRUCache({
      maxSize: metadataMaxBytes,
      sizeCalculation: ({ lengthBytes }) => lengthBytes + 1,
      ttl: seenForMs,
    }),
    managementTokens: new LRUCache({ max: 10_000 }),
    signedMetadata: new LRUCache({ max: 500 }),
    domainLinkages: new LRUCache({ max: 1_000 }),
    providers: new LRUCache({ max: 1_000, ttl: providerKnownForMs }),
    accessTokens: new LRUCache({ max: 1_000 }),
    publishedLists: new LRUCache({
      max: 5_000,
      maxSize: listsMaxBytes,
      // The compressed content takes at most the same size again.
      sizeCalculation: ({ content, jwt }) => 2 * (content.length + (jwt?.length ?? 0)),
      ttl: listSeenForMs,
      // A stale entry may still be the current version.
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, known, { context: { db, tenantId, kind, id } }) {
        const read = await findPublishedList(db, tenantId, kind, id)
        return known && read && isSameVersion(known, read) ? known : read
      },
      // The caller receives the list even if the cache had no space for it.
      ignoreFetchAbort: true,
    }),
    trustedLists: new LRUCache({
      maxSize: trustedListsMaxBytes,
      sizeCalculation: ({ content }) => 2 * content.length,
      ttl: listSeenForMs,
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, known, { context: { db, tenantId, ecosystemId, kind, number } }) {
        const list = await findPublishedTrustedList(db, tenantId, ecosystemId, kind, number)
        if (!list || known?.id === list.id) return list && known
        const content = await findTrustedListContent(db, tenantId, list.id)
        return content && { id: list.id, date: list.date, content }
      },
      ignoreFetchAbort: true,
    }),
    readLists: new LRUCache({
      maxSize: readListsMaxBytes,
      sizeCalculation: ({ content }) => 2 * content.length,
      async fetchMethod(_key, _known, { context: { read } }) {
        const content = await read()
        return content && { content }
      },
      ignoreFetchAbort: true,
    }),
    policies: new LRUCache({
      maxSize: policiesMaxBytes,
      sizeCalculation: ({ content }) => 2 * content.length,
      async fetchMethod(_key, _known, { context: { db, tenantId, id } }) {
        const content = await findPolicyContent(db, tenantId, id)
        return content && { content }
      },
      ignoreFetchAbort: true,
    }),
    ...createPageCaches(),
  }
}

/** Creates the caches of the HTML pages. */
function createPageCaches(): Pick<Caches, 'qrCodes' | 'logos'> {
  return {
    qrCodes: new LRUCache({
      maxSize: qrCodesMaxBytes,
      sizeCalculation: ({ path }, text) => path.length + text.length,
      ttl: qrCodesKeptForMs,
    }),
    logos: new LRUCache({
      max: 10_000,
      maxSize: logosMaxBytes,
      sizeCalculation: ({ bytes }) => bytes.length + 1,
      ttl: logosKeptForMs,
      async fetchMethod(_url, _known, { options, context: { load } }) {
        const logo = await load()
        if (logo.type === undefined) options.ttl = noLogoKeptForMs
        return logo
      },
      ignoreFetchAbort: true,
    }),
  }
}

/** A restored database may issue the same version number again, but at a different time. */
function isSameVersion(one: PublishedList, other: PublishedList): boolean {
  return one.version === other.version && one.issuedAt.getTime() === other.issuedAt.getTime()
}
