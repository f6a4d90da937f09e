import { z } from 'zod'
import type { HolderKey } from '../../../db/tables/issuance/issuances.ts'
import { unixSeconds } from '../../../shared/clock.ts'
import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { resolveDidJwk } from '../../../shared/formats/did-jwk.ts'
import { resolveDidKey } from '../../../shared/formats/did-key.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type PublicJwk, parsePublicJwk, thumbprint } from '../../../shared/formats/jwk.ts'
import { unverifiedKeyOf, verifyX5c } from '../../../shared/formats/x5c.ts'
import { type JwsFault, readJws, readPublicJwk } from '../../proofs/jws.ts'
import { proofAlgorithms } from './algorithms.ts'
import type { KeyAttestation } from './key-attestation.ts'

export interface JwtProof {
  holderKey: HolderKey
  nonce: string | undefined
  issuedAt: number
  /** The `jti`, if the wallet sent one. */
  id: string | undefined
  /** The key attestation, if there is one. */
  attestation: KeyAttestation | undefined
}

export interface ProofContext {
  /** The credential issuer identifier, which must be the audience. */
  issuer: string
  /** The OAuth client, if it is known. */
  clientId: string | null
  now: Date
  /** Checks a key attestation. Undefined if the tenant trusts no attester. */
  attest: ((jws: string) => KeyAttestation) | undefined
  /** The trusted roots (PEM) of keys with a certificate. Without any, the certificate of a key is not verified. */
  roots: readonly string[]
}

const Header = z.compile(
  z.object({
    typ: z.literal('openid4vci-proof+jwt'),
    alg: z.enum(proofAlgorithms),
    jwk: z.record(z.string(), z.unknown()).optional(),
    kid: z.string().max(2000).optional(),
    x5c: z.array(z.string().max(10_000)).min(1).max(5).optional(),
    key_attestation: z.string().max(20_000).optional(),
    crit: z.undefined().optional(),
  }),
)

const Payload = z.compile(
  z.object({
    aud: z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)]),
    iat: z.number(),
    nonce: z.string().max(500).optional(),
    iss: z.string().optional(),
    jti: z.string().max(200).optional(),
    exp: z.number().optional(),
    nbf: z.number().optional(),
  }),
)

/** The window is wide because clocks of wallets differ. A server nonce limits the age of a proof better than `iat`. */
export const iatWindowSeconds = 10 * 60

/** Checks a proof of type `jwt` (OpenID4VCI 1.0, appendix F.1). Throws `invalid_proof`. Does not check its nonce. */
export function verifyJwtProof(jwt: string, context: ProofContext): JwtProof {
  const { issuer, clientId, now, attest } = context
  const { header, payload, verify } = readJws(jwt, { header: Header, payload: Payload }, refuseJws)
  const attestation = header.key_attestation === undefined ? undefined : attest?.(header.key_attestation)
  // Appendix D.1: an attestation beside a proof must expire.
  if (attestation && attestation.expiry === undefined) throw refuse('key_attestation', 'Its key attestation has no exp')
  const holderKey = holderKeyOf(header, attestation, context)
  verify(header.alg, holderKey.jwk)

  // Appendix F.4: the audience is the credential issuer identifier.
  if (payload.aud.replace(/\/$/, '') !== issuer) throw refuse('proof_audience', 'Its aud is not this issuer')
  const seconds = unixSeconds(now)
  if (Math.abs(payload.iat - seconds) > iatWindowSeconds)
    throw refuse('proof_times', 'Its iat is too far from the current time')
  if (payload.exp !== undefined && payload.exp <= seconds) throw refuse('proof_times', 'It is expired')
  if (payload.nbf !== undefined && payload.nbf > seconds + iatWindowSeconds)
    throw refuse('proof_times', 'It is not valid yet')
  // Appendix F.1: `iss` is the client. Anonymous clients omit it. Without a known client it cannot be checked.
  if (clientId !== null && payload.iss !== undefined && payload.iss !== clientId)
    throw refuse('proof_issuer', 'Its iss is another client')
  const { nonce, iat: issuedAt, jti: id } = payload
  return { holderKey, nonce, issuedAt, id, attestation }
}

type Named = Pick<z.infer<typeof Header>, 'jwk' | 'kid' | 'x5c'>

/**
 * Returns the key of a proof. Exactly one of `jwk`, `kid` and `x5c` must name it. A `kid` is a DID URL or the index of
 * an attested key.
 */
function holderKeyOf(
  { jwk, kid, x5c }: Named,
  attestation: KeyAttestation | undefined,
  context: ProofContext,
): HolderKey {
  if ([jwk, kid, x5c].filter((each) => each !== undefined).length !== 1) {
    throw refuse('proof_key', 'It must name its key by exactly one of jwk, kid and x5c')
  }
  const holderKey = x5c
    ? { jwk: certifiedKey(x5c, context) }
    : jwk
      ? { jwk: readPublicJwk(jwk, refuseJws) }
      : keyNamed(kid ?? '', attestation)
  // Appendix D.1: the key of the proof is one of the attested keys.
  const attested = attestation?.keys.map(thumbprint) ?? []
  if (attestation && !attested.includes(thumbprint(holderKey.jwk)))
    throw refuse('key_attestation', 'Its key is not one of the attested keys')
  return holderKey
}

/**
 * Appendix F.1: the first certificate has the key. Nothing requires that the issuer trusts it, because the proof shows the possession of
 * the key. A tenant that trusts roots for keys of wallets accepts no other certificates.
 */
function certifiedKey(x5c: readonly string[], { roots, now }: ProofContext): PublicJwk {
  try {
    return roots.length > 0 ? verifyX5c(x5c, roots, now).publicJwk : unverifiedKeyOf(x5c)
  } catch (error) {
    if (error instanceof FormatError) throw refuse('proof_key', `Its x5c is not acceptable: ${error.message}`)
    throw error
  }
}

function keyNamed(kid: string, attestation: KeyAttestation | undefined): HolderKey {
  const attested = /^\d{1,3}$/.test(kid) ? attestation?.keys[Number(kid)] : undefined
  if (attested) return { jwk: attested }
  try {
    const { did, publicJwk } = kid.startsWith('did:jwk:') ? resolveDidJwk(kid) : resolveDidKey(kid)
    return { did, jwk: parsePublicJwk(publicJwk) }
  } catch (error) {
    if (error instanceof FormatError) throw refuse('proof_key', 'Its key cannot be used')
    throw error
  }
}

function refuse(check: CheckName, what: string): Problem {
  return new Problem('invalid_proof', { message: `The proof is not acceptable. ${what}`, check })
}

const checkOfFault = { form: 'proof_form', key: 'proof_key', signature: 'proof_signature' } as const

function refuseJws(what: string, fault: JwsFault): Problem {
  return refuse(checkOfFault[fault], what)
}
