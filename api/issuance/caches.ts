import { LRUCache } from 'lru-cache'
import type { LinkCounts } from '../../db/repos/issuance/claim-links/listed-claim-links.ts'
import type { ConfigurationRow } from '../../db/repos/issuance/configurations.ts'
import { hourMs, minuteMs } from '../../shared/clock.ts'
import type { SharedIndex } from './bulk/shared-index.ts'
import type { PublishedMetadata } from './metadata/schemas.ts'

export interface IssuanceCaches {
  /** Credential configurations, by tenant and id. */
  configurations: LRUCache<string, ConfigurationRow>
  /** Where pages of results begin, by bulk issuance, version and format. */
  resultIndexes: LRUCache<string, SharedIndex>
  /** For each tenant, the scope of each configuration by the configuration's id. */
  scopes: LRUCache<string, Promise<ReadonlyMap<string, string>>>
  /** Metadata by tenant. A change of the metadata deletes the entry. */
  metadata: LRUCache<string, CachedMetadata>
  /** Signed metadata, by tenant, content and time. */
  signedMetadata: LRUCache<string, Promise<string>>
  /** Access tokens for claim sources, by claim source and credentials. */
  accessTokens: LRUCache<string, CachedAccessToken>
  /** The counts of many claim links, by bulk issuance. */
  linkCounts: LRUCache<string, CachedLinkCounts>
  /** QR codes, by their text. */
  qrCodes: LRUCache<string, QrDrawing>
  /** Logos of other hosts, by their URL. `fetch` loads a logo once for all requests that wait for it. */
  logos: LRUCache<string, CachedLogo, LogoSource>
}

export interface CachedMetadata {
  published: Promise<PublishedMetadata>
  /** 0 until `published` has settled. */
  lengthBytes: number
}

/** An access token for a claim source. */
export interface CachedAccessToken {
  token: Promise<string>
  /** Undefined until the token has arrived. In the past if the token's lifetime is unknown. */
  expiresAt: Date | undefined
}

export interface CachedLinkCounts {
  counts: Promise<LinkCounts>
  /** On the clock of `performance.now()`. */
  freshUntil: number
}

/** A QR code of `size` by `size` modules, and the outlines of its dark modules. */
export interface QrDrawing {
  size: number
  path: string
}

export interface CachedLogo {
  /** The media type. Undefined if the logo could not be loaded. */
  type?: string
  bytes: Buffer
}

export interface LogoSource {
  load(): Promise<CachedLogo>
}

/** A change by another process is visible after this time. A process that changes a row deletes its own entry at once. */
const rowTtlMs = 1_000
const maxMetadataBytes = 64_000_000
const maxLogoBytes = 32_000_000
const logoTtlMs = hourMs
const missingLogoTtlMs = minuteMs
const maxQrCodeBytes = 16_000_000
/** Most offers expire within this time. */
const qrCodeTtlMs = 10 * minuteMs

export function createIssuanceCaches(): IssuanceCaches {
  return {
    configurations: new LRUCache({ max: 5_000, ttl: rowTtlMs }),
    resultIndexes: new LRUCache({ max: 100 }),
    scopes: new LRUCache({ max: 1_000, ttl: rowTtlMs }),
    metadata: new LRUCache({
      maxSize: maxMetadataBytes,
      sizeCalculation: ({ lengthBytes }) => lengthBytes + 1,
      ttl: rowTtlMs,
    }),
    signedMetadata: new LRUCache({ max: 500 }),
    accessTokens: new LRUCache({ max: 1_000 }),
    linkCounts: new LRUCache({ max: 1_000 }),
    qrCodes: new LRUCache({
      maxSize: maxQrCodeBytes,
      sizeCalculation: ({ path }, text) => path.length + text.length,
      ttl: qrCodeTtlMs,
    }),
    logos: new LRUCache({
      max: 10_000,
      maxSize: maxLogoBytes,
      sizeCalculation: ({ bytes }) => bytes.length + 1,
      ttl: logoTtlMs,
      async fetchMethod(_url, _cached, { options, context: { load } }) {
        const logo = await load()
        if (logo.type === undefined) options.ttl = missingLogoTtlMs
        return logo
      },
      ignoreFetchAbort: true,
    }),
  }
}
