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

/** What one web process keeps of what it read, checked or was given, so as not to ask again for each request. */
export interface Caches {
  /** By host. */
  tenants: LRUCache<string, Tenant>
  /** By tenant and id. */
  configurations: LRUCache<string, ConfigurationRow>
  /** By tenant; each configuration's by its id. */
  scopes: LRUCache<string, Promise<ReadonlyMap<string, string>>>
  /** By tenant. Whoever changes something that it tells of deletes it. */
  metadata: LRUCache<string, KeptMetadata>
  /** By tenant and the token's hash. */
  managementTokens: LRUCache<string, VerifiedToken>
  /** By tenant, content and time. */
  signedMetadata: LRUCache<string, Promise<string>>
  /** By tenant and day. */
  domainLinkages: LRUCache<string, Promise<Record<string, unknown>>>
  /** By all that was said of the provider. */
  providers: LRUCache<string, Promise<Configuration>>
  /** By claim source and what it was given for. */
  accessTokens: LRUCache<string, KnownToken>
  /** By tenant, kind and id; `fetch` asks the database, once for all who wait for the same list. */
  publishedLists: LRUCache<string, KeptList, PublishedAsked>
  /** Lists of ecosystems, by tenant, ecosystem, kind and number, or `latest`; `fetch` asks the database which it is. */
  trustedLists: LRUCache<string, KeptTrustedList, TrustedListAsked>
  /** What a list has, by its id, or what has changed between two, by theirs; `fetch` reads them, once for all who wait for it. */
  readLists: LRUCache<string, KeptContent, ReadsLists>
  /** Policies of ecosystems, by tenant and id: what was published does not change. `fetch` reads one once for all who wait for it. */
  policies: LRUCache<string, KeptPolicy, PolicyAsked>
  /** The tables whose expired rows have waited too long, under one key. */
  latePurges: LRUCache<'all', Promise<string[]>>
  /** By what they say. */
  qrCodes: LRUCache<string, QrDrawing>
  /** By their addresses elsewhere; `fetch` loads one once for all who wait for it. */
  logos: LRUCache<string, KeptLogo, LoadsLogo>
}

export interface KeptLogo {
  /** Absent where there was none to be had. */
  type?: string
  bytes: Buffer
}

export interface LoadsLogo {
  load(): Promise<KeptLogo>
}

/** A QR code of `size` by `size` modules, and the outlines of the dark ones. */
export interface QrDrawing {
  size: number
  path: string
}

export interface KeptMetadata {
  published: Promise<PublishedMetadata>
  /** Once they are there. */
  lengthBytes: number
}

/** A list, which is the same object for as long as it is the same version. */
export interface KeptList extends PublishedList {
  /** Its content, from when it was first asked for in gzip. */
  gzipped?: Promise<Buffer>
}

/** The same object for as long as it is the same list. */
export interface KeptTrustedList {
  id: string
  date: Date
  content: Buffer
  /** From when it was first asked for in gzip. */
  gzipped?: Promise<Buffer>
}

/** Which list, and where to ask for it. */
export interface TrustedListAsked {
  db: Reader
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
  number: number | 'latest'
}

/** In JSON. */
export interface KeptContent {
  content: Uint8Array
  /** From when it was first asked for in gzip. */
  gzipped?: Promise<Buffer>
}

export interface ReadsLists {
  read(): Promise<Uint8Array | undefined>
}

export interface KeptPolicy {
  content: Buffer
  /** From when it was first asked for in gzip. */
  gzipped?: Promise<Buffer>
}

export interface PolicyAsked {
  db: Reader
  tenantId: string
  id: string
}

/** A management token whose signature was checked here: the signature of a token does not change. */
export interface VerifiedToken {
  clientId: string
  keyId: string
  expiresAt: number
}

/** Which list, and where to ask for it. */
export interface PublishedAsked {
  db: Reader
  tenantId: string
  kind: StatusListKind
  id: string
}

/** An access token for a claim source. */
export interface KnownToken {
  token: Promise<string>
  /** Undefined while the token is on its way; in the past where its end was not told. */
  expiresAt: Date | undefined
}

/** How long another process's change may go unseen here; whoever changes something here forgets it at once. */
const seenForMs = 1000
/** Of a list; with the question itself it stays within the second that a publication may go unseen. */
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
/** As long as most offers last. */
const qrCodesKeptForMs = 10 * 60_000
/** Providers change their keys and addresses seldom, and a wrong key is looked up again by the library. */
const providerKnownForMs = 10 * 60_000
const latePurgesForMs = 30_000

export function createCaches(): Caches {
  return {
    tenants: new LRUCache({ max: 1_000, ttl: seenForMs }),
    configurations: new LRUCache({ max: 5_000, ttl: seenForMs }),
    scopes: new LRUCache({ max: 1_000, ttl: seenForMs }),
    latePurges: new LRUCache({ max: 1, ttl: latePurgesForMs }),
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
      // And no more than as much again in gzip.
      sizeCalculation: ({ content, jwt }) => 2 * (content.length + (jwt?.length ?? 0)),
      ttl: listSeenForMs,
      // What is stale may be what is there still.
      noDeleteOnStaleGet: true,
      async fetchMethod(_key, known, { context: { db, tenantId, kind, id } }) {
        const read = await findPublishedList(db, tenantId, kind, id)
        return known && read && isSameVersion(known, read) ? known : read
      },
      // Whoever asked gets its list also where there was no room to keep it.
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

/** What pages for people need. */
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

/** A database that was restored may give a number again, and not at the same moment. */
function isSameVersion(one: PublishedList, other: PublishedList): boolean {
  return one.version === other.version && one.issuedAt.getTime() === other.issuedAt.getTime()
}
