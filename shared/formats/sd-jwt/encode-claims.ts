import { hash } from 'node:crypto'
import type { CheckedClaims } from './check-claims.ts'
import type { ResolvedArray, ResolvedNode, ResolvedObject } from './claim-tree.ts'

/** A cryptographically secure random source, such as `randomBytes`. */
export type RandomSource = (byteCount: number) => Buffer

/** Decoy digests of objects (RFC 9901, section 4.2.5). */
export interface DecoyOptions {
  /**
   * The number of digests of each object with disclosable claims becomes a multiple of this number, and is never 0. Without it or with
   * 0, there are no decoys.
   */
  readonly upTo: number
}

export interface EncodedClaims {
  /** The claims for the payload of the JWT: visible claims, digests, and `_sd_alg` if there are digests. */
  readonly payload: Record<string, unknown>
  /** The disclosures in the order of the claims, as base64url. */
  readonly disclosures: readonly string[]
}

interface Encoder {
  readonly random: RandomSource
  /** The salts of all disclosures, one after the other. */
  readonly salts: Buffer
  /** The multiple of digests, or 0. */
  readonly upTo: number
  readonly disclosures: string[]
  hasDigests: boolean
}

/**
 * Encodes claims as an unsigned SD-JWT (RFC 9901, section 4.2). Each call creates new salts. A disclosable claim in a disclosable object
 * has a disclosure of its own (section 4.2.6). The digests of an object are sorted, so that their order reveals nothing. The time is
 * linear in the size of the claims.
 */
export function encodeClaims(checked: CheckedClaims, random: RandomSource, decoys?: DecoyOptions): EncodedClaims {
  const { claims, tree, disclosureCount } = checked
  // One call for all salts. A call for each salt costs more than everything else (measured: 8.6 of 12 µs).
  const salts = random(disclosureCount * saltBytes)
  const encoder: Encoder = { random, salts, upTo: decoys?.upTo ?? 0, disclosures: [], hasDigests: false }
  const payload = encodeObject(claims, tree, encoder)
  // Section 4.1.1: the algorithm is at the top level. It is optional, and applies to nothing if there are no digests.
  if (encoder.hasDigests) payload._sd_alg = 'sha-256'
  return { payload, disclosures: encoder.disclosures }
}

/** Joins a signed JWT and its disclosures (RFC 9901, section 4). The text ends with a tilde, because it has no key binding JWT. */
export function joinSdJwt(jwt: string, disclosures: readonly string[]): string {
  return `${[jwt, ...disclosures].join('~')}~`
}

function encodeNode(value: unknown, node: ResolvedNode, encoder: Encoder): unknown {
  if (node.kind === 'leaf' || typeof value !== 'object' || value === null) return value
  return node.kind === 'array' ? encodeArray(value, node, encoder) : encodeObject(value, node, encoder)
}

function encodeObject(value: object, { members }: ResolvedObject, encoder: Encoder): Record<string, unknown> {
  const visible: [string, unknown][] = []
  const digests: string[] = []
  for (const [name, item] of Object.entries(value)) {
    const member = members.get(name)
    if (!member) throw new Error('the claims were not checked')
    const encoded = encodeNode(item, member, encoder)
    if (member.isDisclosable) digests.push(disclose([name, encoded], encoder))
    else visible.push([name, encoded])
  }
  if (encoder.upTo > 0 && members.values().some(({ isDisclosable }) => isDisclosable)) addDecoys(digests, encoder)
  return Object.fromEntries(digests.length === 0 ? visible : [...visible, ['_sd', digests.sort()]])
}

function encodeArray(value: object, { each }: ResolvedArray, encoder: Encoder): unknown[] {
  if (!Array.isArray(value)) throw new Error('the claims were not checked')
  return value.map((item: unknown) => {
    const encoded = encodeNode(item, each, encoder)
    return each.isDisclosable ? { '...': disclose([encoded], encoder) } : encoded
  })
}

const saltBytes = 16
const decoyBytes = 32

/** Adds a disclosure with a new salt of 128 bits (RFC 9901, sections 4.2.1 and 4.2.2). Returns its digest (section 4.2.3). */
function disclose(content: readonly unknown[], encoder: Encoder): string {
  const { salts, disclosures } = encoder
  const from = disclosures.length * saltBytes
  const salt = salts.subarray(from, from + saltBytes)
  if (salt.length !== saltBytes) throw new Error('the claims were not checked')
  const disclosure = Buffer.from(JSON.stringify([salt.toString('base64url'), ...content])).toString('base64url')
  disclosures.push(disclosure)
  encoder.hasDigests = true
  return hash('sha256', disclosure, 'base64url')
}

function addDecoys(digests: string[], encoder: Encoder): void {
  const { upTo, random } = encoder
  const count = Math.max(1, Math.ceil(digests.length / upTo)) * upTo
  while (digests.length < count) digests.push(hash('sha256', random(decoyBytes), 'base64url'))
  encoder.hasDigests = true
}
