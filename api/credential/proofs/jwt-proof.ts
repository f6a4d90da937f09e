import { verify } from 'node:crypto'
import { z } from 'zod'
import type { HolderKey } from '../../../db/tables/issuances.ts'
import { unixSeconds } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { resolveDidKey } from '../../../shared/formats/did-key.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { isPrivateJwk, parsePublicJwk, publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { parseJson } from '../../http/json.ts'

/** The algorithms of proofs, as the metadata advertises them. */
export const proofAlgorithms = ['ES256', 'EdDSA'] as const

export interface JwtProof {
  holderKey: HolderKey
  nonce: string | undefined
  issuedAt: number
  /** `jti`, where the wallet gave one. */
  id: string | undefined
}

export interface ProofContext {
  /** The credential issuer identifier, which must be the audience. */
  issuer: string
  /** The OAuth client, where it is known. */
  clientId: string | null
  now: Date
}

const proofType = 'openid4vci-proof+jwt'

const Header = z.object({
  typ: z.literal(proofType),
  alg: z.enum(proofAlgorithms),
  jwk: z.record(z.string(), z.unknown()).optional(),
  kid: z.string().max(2000).optional(),
  x5c: z.unknown().optional(),
  crit: z.undefined().optional(),
})

const Payload = z.object({
  aud: z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)]),
  iat: z.number(),
  nonce: z.string().max(500).optional(),
  iss: z.string().optional(),
  jti: z.string().max(200).optional(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
})

/** Clocks of wallets are off, and a server nonce says when a proof was made better than `iat` does. */
const iatWindowSeconds = 10 * 60

/** Checks a proof of type `jwt` (OpenID4VCI 1.0, appendix F.1). Throws `invalid_proof`. Whether its nonce is fresh is not asked here. */
export function verifyJwtProof(jwt: string, { issuer, clientId, now }: ProofContext): JwtProof {
  const [header, payload, signature, ...rest] = jwt.split('.')
  if (!header || !payload || !signature || rest.length > 0) throw refuse('The proof is not a JWS')
  const { alg, ...named } = parsePart(Header, header)
  const claims = parsePart(Payload, payload)
  const holderKey = holderKeyOf(named)
  checkSignature(`${header}.${payload}`, Buffer.from(signature, 'base64url'), alg, holderKey)

  // Appendix F.4: the audience is the credential issuer identifier.
  if (claims.aud.replace(/\/$/, '') !== issuer) throw refuse('The aud of the proof is not this issuer')
  const seconds = unixSeconds(now)
  if (Math.abs(claims.iat - seconds) > iatWindowSeconds) throw refuse('The iat of the proof is too far away')
  if (claims.exp !== undefined && claims.exp <= seconds) throw refuse('The proof is expired')
  if (claims.nbf !== undefined && claims.nbf > seconds + iatWindowSeconds) throw refuse('The proof is not valid yet')
  // Appendix F.1: `iss` is the client; an anonymous one leaves it out, and what is not known cannot be contradicted.
  if (clientId !== null && claims.iss !== undefined && claims.iss !== clientId)
    throw refuse('The iss of the proof is another client')
  return { holderKey, nonce: claims.nonce, issuedAt: claims.iat, id: claims.jti }
}

/** Exactly one of `jwk`, `kid` and `x5c` names the key; a `kid` is a DID URL. */
function holderKeyOf({ jwk, kid, x5c }: Pick<z.infer<typeof Header>, 'jwk' | 'kid' | 'x5c'>): HolderKey {
  if ([jwk, kid, x5c].filter((each) => each !== undefined).length !== 1) {
    throw refuse('The proof must name its key by exactly one of jwk, kid and x5c')
  }
  try {
    if (jwk) {
      if (isPrivateJwk(jwk)) throw refuse('The jwk of the proof has private members')
      return { jwk: parsePublicJwk(jwk) }
    }
    if (kid) {
      const { did, publicJwk } = resolveDidKey(kid)
      return { did, jwk: parsePublicJwk(publicJwk) }
    }
  } catch (error) {
    if (error instanceof FormatError) throw refuse('The key of the proof cannot be used')
    throw error
  }
  throw refuse('Proofs with x5c are not accepted')
}

const curveOf = { ES256: 'P-256', EdDSA: 'Ed25519' } as const

function checkSignature(input: string, signature: Buffer, alg: keyof typeof curveOf, { jwk }: HolderKey): void {
  if (jwk.crv !== curveOf[alg]) throw refuse('The alg of the proof does not go with its key')
  const key = publicKeyOf(jwk)
  const valid =
    alg === 'EdDSA'
      ? verify(null, Buffer.from(input), key, signature)
      : verify('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, signature)
  if (!valid) throw refuse('The signature of the proof is wrong')
}

function publicKeyOf(jwk: HolderKey['jwk']) {
  try {
    return publicKeyFromJwk(jwk)
  } catch (error) {
    if (error instanceof FormatError) throw refuse('The key of the proof cannot be used')
    throw error
  }
}

function parsePart<Schema extends z.ZodType>(schema: Schema, part: string): z.infer<Schema> {
  try {
    return schema.parse(parseJson(Buffer.from(part, 'base64url').toString()))
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof Problem) throw refuse(whatIsWrong(error))
    throw error
  }
}

function whatIsWrong(error: z.ZodError | Problem): string {
  const names = error instanceof z.ZodError ? [...new Set(error.issues.map(({ path }) => path[0]))] : []
  return names.length > 0 ? `The proof is wrong in: ${names.join(', ')}` : 'The proof is not a JWS'
}

function refuse(message: string): Problem {
  return new Problem('invalid_proof', { message })
}
