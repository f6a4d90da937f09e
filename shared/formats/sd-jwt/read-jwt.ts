import { bytesOfBase64url } from '../base64url.ts'
import { isJsonObject } from '../json-object.ts'
import { parseStrictJson } from '../strict-json.ts'
import { type DecoderCheck, SdJwtError } from './decoder-checks.ts'
import { maxDecodedDepth } from './limits.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A JWT as read. Its signature is not verified. */
export interface ReadJwt {
  readonly header: JsonObject
  readonly payload: JsonObject
  /** The text that the signature covers. */
  readonly signingInput: string
  readonly signature: Buffer
}

/** Parses a JWT (RFC 7519, section 7.2). Throws an `SdJwtError` of the check `malformed`, or of a level or name in its JSON. */
export function readJwt(jwt: string, malformed: DecoderCheck): ReadJwt {
  const [head = '', body = '', end = '', ...rest] = jwt.split('.', 4)
  const signature = bytesOfBase64url(end)
  if (rest.length > 0 || !signature || signature.length === 0) throw new SdJwtError(malformed)
  const [header, payload] = [readJson(head, malformed), readJson(body, malformed)]
  if (!isJsonObject(header) || !isJsonObject(payload)) throw new SdJwtError(malformed)
  return { header, payload, signingInput: `${head}.${body}`, signature }
}

/** Parses base64url of JSON. Throws an `SdJwtError`. */
export function readJson(text: string, malformed: DecoderCheck): unknown {
  const bytes = bytesOfBase64url(text)
  if (!bytes) throw new SdJwtError(malformed)
  const read = parseStrictJson(bytes, maxDecodedDepth)
  if ('value' in read) return read.value
  if (read.fault === 'too_deep') throw new SdJwtError('SdJwtDepth')
  throw new SdJwtError(read.fault === 'duplicate_member' ? 'ClaimName' : malformed)
}

/** Whether the value is an array of texts with at least one. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}
