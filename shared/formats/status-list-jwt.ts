import { hasEnded } from '../clock.ts'
import { isJwsAlgorithm, isSignatureOf } from './compact-jws.ts'
import { FormatError } from './format-error.ts'
import { isJsonObject } from './json-object.ts'
import { isTexts, type ReadJwt, readJwt } from './sd-jwt/read-jwt.ts'
import { verifyX5c } from './x5c.ts'

/** A status list token as read. Its signature is verified, and it has not expired. */
export interface StatusListJwt {
  readonly bits: 1 | 2 | 4 | 8
  /** The statuses, compressed with zlib. */
  readonly compressed: Buffer
}

interface Expected {
  /** The URL of the list, as in the credential. */
  readonly uri: string
  /** The trusted roots (PEM). */
  readonly roots: readonly string[]
  readonly at: Date
}

/**
 * Verifies a status list token in the form of a JWT (Token Status List, section 8.3, steps 3 and 4). Throws a `FormatError` with the reason:
 * another type, subject or algorithm, an untrusted chain, an invalid signature, and an expired list.
 */
export function readStatusListJwt(text: string, { uri, roots, at }: Expected): StatusListJwt {
  const { header, payload, signingInput, signature } = readToken(text)
  const { typ, alg, x5c } = header
  const { sub, exp, status_list: list } = payload
  if (typ !== 'statuslist+jwt') throw refuse('its typ is not statuslist+jwt')
  if (!isJwsAlgorithm(alg)) throw refuse('its algorithm is not supported')
  if (sub !== uri) throw refuse('its subject is another list')
  if (!isTexts(x5c)) throw refuse('it has no certificate chain')
  const { publicJwk } = verifyX5c(x5c, roots, at)
  if (!isSignatureOf(publicJwk, alg, signingInput, signature)) throw refuse('its signature is invalid')
  if (exp !== undefined && typeof exp !== 'number') throw refuse('its exp is not a number')
  if (exp !== undefined && hasEnded(new Date(exp * 1000), at)) throw refuse('it has expired')
  if (!isJsonObject(list) || typeof list.lst !== 'string' || !isBits(list.bits)) throw refuse('it has no list')
  return { bits: list.bits, compressed: Buffer.from(list.lst, 'base64url') }
}

/** The faults of `readJwt` name clauses about credentials. */
function readToken(text: string): ReadJwt {
  try {
    return readJwt(text, 'JwtForm')
  } catch (error) {
    throw error instanceof FormatError ? refuse('the status list is not a JWT') : error
  }
}

/** Returns the status at an index of unpacked statuses. Returns undefined outside of the list. */
export function statusAt(bytes: Uint8Array, bits: StatusListJwt['bits'], index: number): number | undefined {
  const byte = bytes[Math.floor((index * bits) / 8)]
  return byte === undefined ? undefined : (byte >> ((index * bits) % 8)) & ((1 << bits) - 1)
}

function isBits(value: unknown): value is StatusListJwt['bits'] {
  return value === 1 || value === 2 || value === 4 || value === 8
}

function refuse(why: string): FormatError {
  return new FormatError('invalid_jws', why)
}
