import { z } from 'zod'
import { unixSeconds } from '../../../shared/clock.ts'
import type { KeyAttestationRules } from '../../../shared/domain/issuance/profile-settings.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type PublicJwk, thumbprint } from '../../../shared/formats/jwk.ts'
import { verifyX5c } from '../../../shared/formats/x5c.ts'
import type { Tenant } from '../../access/subjects.ts'
import { readJws, readPublicJwk } from '../../proofs/jws.ts'
import { proofAlgorithms } from './algorithms.ts'

export interface KeyAttestation {
  keys: PublicJwk[]
  nonce: string | undefined
  /** `iat` in seconds. */
  issuedAt: number
  /** The expiry in seconds. Undefined without an expiry. */
  expiry: number | undefined
  /** The signed part, which identifies a repeated attestation. */
  signed: string
}

export interface AttestationContext {
  tenant: Tenant
  /** The requirements of the configuration for keys. Undefined without requirements. */
  rules: KeyAttestationRules | undefined
  now: Date
}

/** The maximum number of keys in an attestation. */
export const maxKeys = 100
const clockSkewSeconds = 60

/** Wallets of earlier drafts use the type `keyattestation+jwt`. */
const Header = z.object({
  typ: z.enum(['key-attestation+jwt', 'keyattestation+jwt']),
  alg: z.enum(proofAlgorithms),
  x5c: z.array(z.string().max(10_000)).min(1).max(5),
  crit: z.undefined().optional(),
})

const Resistance = z.array(z.string().max(200)).min(1).max(20).optional()

const Payload = z.object({
  iat: z.number(),
  exp: z.number().optional(),
  nonce: z.string().max(500).optional(),
  attested_keys: z.array(z.record(z.string(), z.unknown())).min(1).max(maxKeys),
  key_storage: Resistance,
  user_authentication: Resistance,
})

/**
 * Checks a key attestation (OpenID4VCI 1.0, appendix D): its chain to one of the tenant's roots, its times, and the key
 * storage that the configuration requires. Throws `invalid_proof`. Does not check its nonce.
 */
export function verifyKeyAttestation(jws: string, { tenant, rules, now }: AttestationContext): KeyAttestation {
  const attestation = readJws(jws, { header: Header, payload: Payload }, refuse)
  const { header, payload } = attestation
  attestation.verify(header.alg, attesterKey(header.x5c, tenant, now))
  const seconds = unixSeconds(now)
  if (payload.iat > seconds + clockSkewSeconds) throw refuse('It is not valid yet')
  if (payload.exp !== undefined && payload.exp <= seconds) throw refuse('It is expired')
  requireOneOf('key_storage', payload.key_storage, rules?.keyStorage)
  requireOneOf('user_authentication', payload.user_authentication, rules?.userAuthentication)
  const keys = payload.attested_keys.map((jwk) => readPublicJwk(jwk, refuse))
  if (new Set(keys.map(thumbprint)).size !== keys.length) throw refuse('It contains a key twice')
  const { nonce, iat: issuedAt, exp: expiry } = payload
  return { keys, nonce, issuedAt, expiry, signed: jws.slice(0, jws.lastIndexOf('.')) }
}

function attesterKey(x5c: string[], { settings, profile }: Tenant, now: Date): PublicJwk {
  try {
    const { publicJwk, hasRoot } = verifyX5c(x5c, settings.keyAttestationRoots, now)
    // HAIP 1.0, section 4.5.1: the issuer knows the root, so the chain must not contain it.
    if (hasRoot && followsHaip(profile)) throw refuse('Its x5c contains the root certificate')
    return publicJwk
  } catch (error) {
    if (error instanceof FormatError) throw refuse(`Its x5c is not acceptable: ${error.message}`)
    throw error
  }
}

function requireOneOf(name: string, declared: string[] = [], accepted: string[] | undefined): void {
  if (accepted === undefined || accepted.some((each) => declared.includes(each))) return
  throw refuse(`Its ${name} must contain one of: ${accepted.join(', ')}`)
}

function refuse(what: string): Problem {
  return new Problem('invalid_proof', {
    message: `The key attestation is not acceptable. ${what}`,
    check: 'key_attestation',
  })
}
