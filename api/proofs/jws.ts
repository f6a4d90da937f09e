import { verify } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '../../shared/errors/errors.ts'
import { verifyEcdsa } from '../../shared/formats/ecdsa.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { isPrivateJwk, type PublicJwk, parsePublicJwk, publicKeyFromJwk } from '../../shared/formats/jwk.ts'
import { parseJson } from '../http/json.ts'

/** The part of a JWS that is not acceptable. */
export type JwsFault = 'form' | 'key' | 'signature'

/** Creates the problem of a failed check from a description of the fault. */
export type Refuse = (message: string, fault: JwsFault) => Problem

export type ProofAlgorithm = 'ES256' | 'EdDSA'

export interface Jws<Header, Payload> {
  header: Header
  payload: Payload
  /** Throws if the signature is not valid for this key. */
  verify(alg: ProofAlgorithm, jwk: PublicJwk): void
}

/** Parses a compact JWS (RFC 7515, section 7.1) strictly. The caller must call `verify` to check the signature. */
export function readJws<Header, Payload>(
  jws: string,
  schemas: { header: z.ZodType<Header>; payload: z.ZodType<Payload> },
  refuse: Refuse,
): Jws<Header, Payload> {
  const [header, payload, signature, ...rest] = jws.split('.', 4)
  if (!header || !payload || !signature || rest.length > 0) throw refuse('It is not a JWS', 'form')
  // RFC 7515, section 5.2: no padding, white space or other characters.
  if (/[^\w.-]/.test(jws)) throw refuse('It is not a JWS', 'form')
  return {
    header: parsePart(schemas.header, header, refuse),
    payload: parsePart(schemas.payload, payload, refuse),
    verify(alg, jwk) {
      checkSignature(`${header}.${payload}`, Buffer.from(signature, 'base64url'), alg, jwk, refuse)
    },
  }
}

/** Parses a public key from a header or claim. Requires a known curve, canonical encoding and no private members. */
export function readPublicJwk(jwk: Record<string, unknown>, refuse: Refuse): PublicJwk {
  if (isPrivateJwk(jwk)) throw refuse('Its key has private members', 'key')
  try {
    return parsePublicJwk(jwk)
  } catch (error) {
    if (error instanceof FormatError) throw refuse('Its key cannot be used', 'key')
    throw error
  }
}

const curveOf = { ES256: 'P-256', EdDSA: 'Ed25519' } as const

function checkSignature(input: string, signature: Buffer, alg: ProofAlgorithm, jwk: PublicJwk, refuse: Refuse): void {
  if (jwk.crv !== curveOf[alg]) throw refuse('Its alg does not match its key', 'key')
  const key = publicKeyFromJwk(jwk)
  const valid =
    alg === 'EdDSA'
      ? verify(null, Buffer.from(input), key, signature)
      : verifyEcdsa('P-256', Buffer.from(input), key, signature)
  if (!valid) throw refuse('Its signature is wrong', 'signature')
}

function parsePart<Part>(schema: z.ZodType<Part>, part: string, refuse: Refuse): Part {
  try {
    return schema.parse(parseJson(Buffer.from(part, 'base64url').toString()))
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof Problem) throw refuse(describeError(error), 'form')
    throw error
  }
}

function describeError(error: z.ZodError | Problem): string {
  const names = error instanceof z.ZodError ? [...new Set(error.issues.map(({ path }) => path[0]))] : []
  return names.length > 0 ? `These members are invalid: ${names.join(', ')}` : 'It is not a JWS'
}
