import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
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
import { createHostSlots } from './host-slots.ts'

/** By host, as a `Host` header has it: a document, `absent` for a host of ours without one, undefined for a host of others. */
export type OwnDocuments = (host: string) => Promise<ResolvedDidDocument | 'absent' | undefined>

export interface ResolverOptions {
  outbound: Outbound
  clock: Clock
  findOwn: OwnDocuments
  /** Development: hosts of this machine are asked over http. */
  allowLoopback: boolean
}

interface Patience {
  /** On the scale of `performance.now()`; a resolution takes 4 s at most in any case. */
  deadlineAt?: number
}

interface WantedKey extends Patience {
  /** Of these curves only; any by default. */
  curves?: readonly DidCurve[]
}

export interface DidResolver {
  /**
   * The document of a did:key, did:jwk or did:web. Rejects with a DidError, and with `service_unavailable` if there was no time to ask its host:
   * that says nothing about the DID.
   */
  resolve(did: string, patience?: Patience): Promise<ResolvedDidDocument>
  /** The key of a DID URL, if it is for that; of a DID without fragment, its first key for that. Rejects as `resolve`. */
  keyOf(didUrl: string, relationship: DidRelationship, wanted?: WantedKey): Promise<DidKey>
}

const allCurves: readonly DidCurve[] = ['P-256', 'P-384', 'P-521', 'Ed25519', 'X25519']

/**
 * Resolves DIDs for one process: what was found is kept for a minute, and what could not be had for a few seconds. A document that
 * lacks the key that is asked for is asked for anew, since a key may have come since then.
 */
export function createDidResolver(options: ResolverOptions): DidResolver {
  const resolveDidWeb = createDidWebResolver(options)

  function documentOf(
    did: string,
    method: string,
    keptForMs: number,
  ): ResolvedDidDocument | Promise<ResolvedDidDocument> {
    if (method === 'key') return didKeyDocument(resolveDidKey(did).publicJwk)
    if (method === 'jwk') return didJwkDocument(did)
    if (method === 'web') return resolveDidWeb(did, keptForMs)
    throw new DidError('invalid_did', 'its method is none of key, jwk and web')
  }

  async function resolve(didUrl: string, { deadlineAt }: Patience, keptForMs = knownForMs) {
    try {
      const { did, method, fragment } = splitDidUrl(didUrl)
      return { document: await inTime(documentOf(did, method, keptForMs), deadlineAt), fragment }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      const reason = error.code === 'invalid_did_document' ? 'invalid_document' : 'invalid_did'
      throw new DidError(reason, error.message, { cause: error })
    }
  }

  return {
    async resolve(did, patience = {}) {
      const { document, fragment } = await resolve(did, patience)
      if (fragment !== undefined) throw new DidError('invalid_did', 'it names a key')
      return document
    },
    async keyOf(didUrl, relationship, { curves = allCurves, ...patience } = {}) {
      const findKey = async (keptForMs?: number) => {
        const { document, fragment } = await resolve(didUrl, patience, keptForMs)
        return findDocumentKey(document, fragment, relationship, curves)
      }
      const key = (await findKey()) ?? (await findKey(failureKnownForMs))
      if (!key) throw new DidError('no_such_key', `none for ${relationship} that can be used here`)
      return key
    },
  }
}

const knownForMs = 60_000
const failureKnownForMs = 5_000
const maxKnown = 5_000
/** Of the documents as they came; parsed they take several times as much. */
const maxKnownBytes = 10_000_000
/** What an entry takes besides its document, so that failures count as well. */
const entryBytes = 500
/** A host that hangs holds no more than this, and other hosts are not kept waiting for it. */
const atEachHost = { places: 20, line: 200, waitMs: 1_000 }

type Known = FetchedDocument | DidError

/** Resolves did:web; whoever asks for the same DID at the same time shares one call. */
function createDidWebResolver(
  options: ResolverOptions,
): (did: string, keptForMs: number) => Promise<ResolvedDidDocument> {
  const known = new LRUCache<string, Known>({
    max: maxKnown,
    maxSize: maxKnownBytes,
    sizeCalculation: (entry) => entryBytes + (entry instanceof DidError ? 0 : entry.bytes),
    perf: { now: () => options.clock.now().getTime() },
    ttlResolution: 0,
  })
  const underWay = new Map<string, Promise<Known>>()
  const atHosts = createHostSlots(atEachHost)

  async function fetchKept(did: string, host: string): Promise<Known> {
    if (!(await atHosts.take(host))) throw noTime('Its host is being asked for many other DIDs')
    try {
      const entry = await fetchDidWebDocument(options, did).catch(asDidError)
      // A document that is still good for its keys is not given up for one that cannot be had.
      if (!(entry instanceof DidError)) known.set(did, entry, { ttl: knownForMs })
      else if (!known.has(did)) known.set(did, entry, { ttl: failureKnownForMs })
      return entry
    } finally {
      atHosts.leave(host)
    }
  }

  function fetchShared(did: string, host: string): Promise<Known> {
    const asked = underWay.get(did)
    if (asked !== undefined) return asked
    const asking = fetchKept(did, host).finally(() => underWay.delete(did))
    underWay.set(did, asking)
    return asking
  }

  /** Undefined where what is known was had longer ago. */
  function findKnown(did: string, keptForMs: number): Known | undefined {
    const entry = known.get(did)
    if (!entry || entry instanceof DidError) return entry
    return known.getRemainingTTL(did) >= knownForMs - keptForMs ? entry : undefined
  }

  return async function resolveDidWeb(did, keptForMs) {
    const { host, pathname } = new URL(didWebDocumentUrl(did))
    const own = await options.findOwn(host)
    if (own === 'absent' || (own && pathname !== ownPathname)) throw new DidError('unreachable', 'there is none here')
    if (own) return readDidDocument(own, did)
    const entry = findKnown(did, keptForMs) ?? (await fetchShared(did, host))
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

/** Waits no longer than the deadline for what others may go on waiting for. */
async function inTime<Value>(work: Value | Promise<Value>, deadlineAt: number | undefined): Promise<Value> {
  if (deadlineAt === undefined || !(work instanceof Promise)) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(noTime('The deadline of the request cut the resolution of a DID'))
    timer = setTimeout(tooLate, Math.max(0, deadlineAt - performance.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
