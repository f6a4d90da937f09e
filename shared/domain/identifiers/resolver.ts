import { LRUCache } from 'lru-cache'
import { agesBy, type Clock } from '../../clock.ts'
import { Problem } from '../../errors/errors.ts'
import { createSlots } from '../../flow/slots.ts'
import { didWebDocumentUrl, splitDidUrl } from '../../formats/did.ts'
import { didKeyDocument } from '../../formats/did-document.ts'
import { type DidCurve, type DidKey, findDocumentKey } from '../../formats/did-document-keys.ts'
import { type DidRelationship, type ResolvedDidDocument, readDidDocument } from '../../formats/did-document-read.ts'
import { didJwkDocument } from '../../formats/did-jwk.ts'
import { resolveDidKey } from '../../formats/did-key.ts'
import { FormatError } from '../../formats/format-error.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { DidError } from './did-error.ts'
import { type FetchedDocument, fetchDidWebDocument } from './fetch-document.ts'

/** Finds the document of a host of this service, by the `Host` header: `absent` if it has none. Undefined for any other host. */
export type OwnDocuments = (host: string) => Promise<ResolvedDidDocument | 'absent' | undefined>

export interface ResolverOptions {
  outbound: Outbound
  clock: Clock
  findOwn: OwnDocuments
  /** Fetches from hosts of this machine over http, for development. */
  allowLoopback: boolean
}

interface WaitOptions {
  /** The deadline of the resolution, by `performance.now()`. A resolution takes at most 4 s without it. */
  deadlineAt?: number
}

interface KeyOptions extends WaitOptions {
  /** The accepted curves. Default: all. */
  curves?: readonly DidCurve[]
}

export interface DidResolver {
  /**
   * Returns the document of a did:key, did:jwk or did:web. Rejects with a DidError, or with `service_unavailable` if there was no time
   * to fetch it. The second says nothing about the DID.
   */
  resolve(did: string, options?: WaitOptions): Promise<ResolvedDidDocument>
  /** Returns the key of a DID URL if it has this relationship, or the first such key of a DID. Rejects as `resolve`. */
  keyOf(didUrl: string, relationship: DidRelationship, options?: KeyOptions): Promise<DidKey>
}

const allCurves: readonly DidCurve[] = ['P-256', 'P-384', 'P-521', 'Ed25519', 'X25519']

/**
 * Resolves DIDs for one process. Documents are cached for a minute, failures for 5 s. If a cached document lacks the requested key,
 * it is fetched again, because the key may be new.
 */
export function createDidResolver(options: ResolverOptions): DidResolver {
  const resolveDidWeb = createDidWebResolver(options)

  function documentOf(
    did: string,
    method: string,
    maxAgeMs: number,
  ): ResolvedDidDocument | Promise<ResolvedDidDocument> {
    if (method === 'key') return didKeyDocument(resolveDidKey(did).publicJwk)
    if (method === 'jwk') return didJwkDocument(did)
    if (method === 'web') return resolveDidWeb(did, maxAgeMs)
    throw new DidError('invalid_did', 'its method is not key, jwk or web')
  }

  async function resolve(didUrl: string, { deadlineAt }: WaitOptions, maxAgeMs = cachedForMs) {
    try {
      const { did, method, fragment } = splitDidUrl(didUrl)
      return { document: await inTime(documentOf(did, method, maxAgeMs), deadlineAt), fragment }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      const reason = error.code === 'invalid_did_document' ? 'invalid_document' : 'invalid_did'
      throw new DidError(reason, error.message, { cause: error })
    }
  }

  return {
    async resolve(did, options = {}) {
      const { document, fragment } = await resolve(did, options)
      if (fragment !== undefined) throw new DidError('invalid_did', 'it names a key')
      return document
    },
    async keyOf(didUrl, relationship, { curves = allCurves, ...waitOptions } = {}) {
      const findKey = async (maxAgeMs?: number) => {
        const { document, fragment } = await resolve(didUrl, waitOptions, maxAgeMs)
        return findDocumentKey(document, fragment, relationship, curves)
      }
      const key = (await findKey()) ?? (await findKey(failureCachedForMs))
      if (!key) throw new DidError('no_such_key', `no usable key for ${relationship}`)
      return key
    },
  }
}

const cachedForMs = 60_000
const failureCachedForMs = 5_000
const maxEntries = 5_000
/** Maximum size of the cached documents as received. Parsed documents take several times as much memory. */
const maxCachedBytes = 10_000_000
/** Size of an entry besides its document. */
const entryBytes = 500
/** The limits for each host. Requests to a host that does not answer do not delay requests to other hosts. */
const hostLimits = { maxRunning: 20, maxWaiting: 200, deadlineMs: 1_000 }

type Fetched = FetchedDocument | DidError

/** Resolves did:web. Concurrent requests for the same DID share one call to its host. */
function createDidWebResolver(
  options: ResolverOptions,
): (did: string, maxAgeMs: number) => Promise<ResolvedDidDocument> {
  const cache = new LRUCache<string, Fetched>({
    max: maxEntries,
    maxSize: maxCachedBytes,
    sizeCalculation: (entry) => entryBytes + (entry instanceof DidError ? 0 : entry.bytes),
    perf: agesBy(options.clock),
    ttlResolution: 0,
  })
  const running = new Map<string, Promise<Fetched>>()
  const hostSlots = createSlots(hostLimits)

  async function fetchAndCache(did: string, host: string): Promise<Fetched> {
    if (!(await hostSlots.take(host))) throw noTime('Too many documents of its host are being fetched')
    try {
      const entry = await fetchDidWebDocument(options, did).catch(asDidError)
      // A failure does not replace a document that is still valid.
      if (!(entry instanceof DidError)) cache.set(did, entry, { ttl: cachedForMs })
      else if (!cache.has(did)) cache.set(did, entry, { ttl: failureCachedForMs })
      return entry
    } finally {
      hostSlots.release(host)
    }
  }

  function fetchShared(did: string, host: string): Promise<Fetched> {
    const shared = running.get(did)
    if (shared !== undefined) return shared
    const started = fetchAndCache(did, host).finally(() => running.delete(did))
    running.set(did, started)
    return started
  }

  /** Returns undefined if the cached document is older than `maxAgeMs`. */
  function findCached(did: string, maxAgeMs: number): Fetched | undefined {
    const entry = cache.get(did)
    if (!entry || entry instanceof DidError) return entry
    return cache.getRemainingTTL(did) >= cachedForMs - maxAgeMs ? entry : undefined
  }

  return async function resolveDidWeb(did, maxAgeMs) {
    const { host, pathname } = new URL(didWebDocumentUrl(did))
    const own = await options.findOwn(host)
    if (own === 'absent' || (own && pathname !== ownPathname))
      throw new DidError('unreachable', 'this service has no such document')
    if (own) return readDidDocument(own, did)
    const entry = findCached(did, maxAgeMs) ?? (await fetchShared(did, host))
    if (entry instanceof DidError) throw entry
    return entry.document
  }
}

const ownPathname = '/.well-known/did.json'

function noTime(reason: string): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds: 5, reason })
}

function asDidError(error: unknown): DidError {
  if (error instanceof DidError) return error
  throw error
}

/** Waits for shared work until the deadline. The work goes on for other callers. */
async function inTime<Value>(work: Value | Promise<Value>, deadlineAt: number | undefined): Promise<Value> {
  if (deadlineAt === undefined || !(work instanceof Promise)) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(noTime('The DID was not resolved before the deadline of the request'))
    timer = setTimeout(tooLate, Math.max(0, deadlineAt - performance.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
