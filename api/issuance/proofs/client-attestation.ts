import { z } from 'zod'
import { spendProofs } from '../../../db/repos/issuance/sessions/spent-proofs.ts'
import { plusMs, unixSeconds } from '../../../shared/clock.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type PublicJwk, thumbprint } from '../../../shared/formats/jwk.ts'
import { verifyX5c } from '../../../shared/formats/x5c.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { readJws, readPublicJwk } from '../../proofs/jws.ts'
import { newNonce, nonceExpiry } from '../../proofs/nonce.ts'

/** The algorithms of attestations and their proofs of possession, as published in the metadata. */
export const attestationAlgorithms = ['ES256'] as const

const Audience = z.union([z.string(), z.array(z.string()).min(1).max(10)])

const AttestationHeader = z.object({
  typ: z.literal('oauth-client-attestation+jwt'),
  alg: z.enum(attestationAlgorithms),
  x5c: z.array(z.string().max(10_000)).min(1).max(5),
  crit: z.undefined().optional(),
})

/**
 * `iss` is required by draft 07 and removed in draft 08. It is not checked, because the certificate chain identifies
 * the attester.
 */
const AttestationPayload = z.object({
  sub: z.string(),
  exp: z.number(),
  iat: z.number().optional(),
  nbf: z.number().optional(),
  cnf: z.object({ jwk: z.record(z.string(), z.unknown()) }),
})

const PossessionHeader = z.object({
  typ: z.literal('oauth-client-attestation-pop+jwt'),
  alg: z.enum(attestationAlgorithms),
  crit: z.undefined().optional(),
})

const PossessionPayload = z.object({
  aud: Audience,
  jti: z.string().min(1).max(500),
  iat: z.number(),
  iss: z.string().optional(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
  challenge: z.string().max(500).optional(),
})

const possessionHeader = 'oauth-client-attestation-pop'
const windowSeconds = 60

/** A challenge is a DPoP nonce too, because a DPoP proof of the attested key contains the challenge as its nonce (DPoP combined mode). */
const challengeUse = 'dpop_nonce server'

/** Creates a challenge for a proof of possession. It is valid for five minutes. */
export function newClientChallenge(deps: Deps, tenant: Tenant): string {
  return newNonce(deps, tenant, challengeUse)
}

/** The expected client of an attestation, and the rules for its check. */
export interface AttestedClient {
  clientId: string
  /** The trusted PEM certificates. The chain of the attestation must lead to one of them. */
  roots: readonly string[]
  /** The way in which the instance proves its key: the proof of possession, the DPoP proof, or either of them. */
  possession: 'pop' | 'dpop' | 'either'
}

/**
 * Checks the attestation of a client instance (OAuth attestation-based client authentication, drafts 07 to 11, and the
 * variant of this interface). The instance proves its key by a proof of possession, or by the already checked DPoP
 * proof if the client's rules allow it. Returns the thumbprint of the key. Throws `invalid_client_attestation`,
 * and `use_attestation_challenge` for a challenge that is not one of this tenant or has expired.
 */
export async function checkClientAttestation(
  deps: Deps,
  tenant: Tenant,
  client: AttestedClient,
  headers: Headers,
  dpopJkt: string | null,
): Promise<string> {
  const key = attestedKey(deps, tenant, client, headers)
  const jkt = thumbprint(key)
  const isWithPossession = headers[possessionHeader] !== undefined || dpopJkt === null
  if (client.possession === 'pop' || (client.possession === 'either' && isWithPossession)) {
    await checkPossession(deps, tenant, client, key, singleHeader(headers, possessionHeader))
    return jkt
  }
  // Combined mode: the DPoP key is the attested key.
  if (dpopJkt === null)
    throw new Problem('invalid_dpop_proof', { message: 'A DPoP proof of the attested key is required' })
  if (dpopJkt !== jkt) throw refuse('The DPoP proof has another key than the attestation')
  return jkt
}

export function hasClientAttestation(headers: Headers): boolean {
  return headers['oauth-client-attestation'] !== undefined
}

/** Returns the client that the attestation names. The attestation is not verified yet. */
export function attestedClientId({ 'oauth-client-attestation': jws }: Headers): string | undefined {
  if (typeof jws !== 'string') return undefined
  return readJws(jws, { header: z.unknown(), payload: z.object({ sub: z.string().max(200) }) }, ofAttestation).payload
    .sub
}

/** The checks of an attestation, in their order. */
export const attestationChecks = ['form', 'chain', 'signature', 'times', 'client', 'key'] as const
export type AttestationCheck = (typeof attestationChecks)[number]

/**
 * Returns the key of an attestation after all its checks. The caller checks that the wallet holds the key. Calls
 * `begin` before each check, so that the last call names the check that refused. Changes nothing.
 */
export function attestedKey(
  deps: Pick<Deps, 'clock'>,
  tenant: Tenant,
  client: Pick<AttestedClient, 'clientId' | 'roots'>,
  headers: Headers,
  begin: (check: AttestationCheck) => void = () => undefined,
): PublicJwk {
  begin('form')
  const jws = singleHeader(headers, 'oauth-client-attestation')
  const attestation = readJws(jws, { header: AttestationHeader, payload: AttestationPayload }, ofAttestation)
  const { header, payload } = attestation
  const at = deps.clock.now()
  begin('chain')
  const attester = attesterKey(header.x5c, client.roots, tenant, at)
  begin('signature')
  attestation.verify(header.alg, attester)
  begin('times')
  const seconds = unixSeconds(at)
  if (payload.exp <= seconds) throw ofAttestation('It is expired')
  if ((payload.nbf ?? seconds) > seconds + windowSeconds || (payload.iat ?? seconds) > seconds + windowSeconds) {
    throw ofAttestation('It is not valid yet')
  }
  begin('client')
  if (payload.sub !== client.clientId) throw ofAttestation('Its sub is another client')
  begin('key')
  const key = readPublicJwk(payload.cnf.jwk, ofAttestation)
  // Proofs of possession and DPoP proofs require this curve.
  if (key.crv !== 'P-256') throw ofAttestation('Its key is not one for ES256')
  return key
}

function attesterKey(x5c: string[], roots: readonly string[], tenant: Tenant, at: Date): PublicJwk {
  try {
    const { publicJwk, hasRoot } = verifyX5c(x5c, roots, at)
    // HAIP 1.0, section 4.4.1: the server knows the root, so the chain must not contain it.
    if (hasRoot && followsHaip(tenant.profile)) throw ofAttestation('Its x5c contains the root certificate')
    return publicJwk
  } catch (error) {
    if (error instanceof FormatError) throw ofAttestation(`Its x5c is not acceptable: ${error.message}`)
    throw error
  }
}

async function checkPossession(
  deps: Deps,
  tenant: Tenant,
  { clientId }: AttestedClient,
  key: PublicJwk,
  jws: string,
): Promise<void> {
  const possession = readJws(jws, { header: PossessionHeader, payload: PossessionPayload }, ofPossession)
  possession.verify(possession.header.alg, key)
  const { aud, jti, iat, iss, exp, nbf, challenge } = possession.payload
  // A proof for several audiences could be replayed by another audience.
  if (![aud].flat().every((each) => isAudience(tenant, each)))
    throw ofPossession('Its aud must contain this server only')
  if (iss !== undefined && iss !== clientId) throw ofPossession('Its iss is another client')
  const at = deps.clock.now()
  const seconds = unixSeconds(at)
  if (Math.abs(iat - seconds) > windowSeconds) throw ofPossession('Its iat is too far from the current time')
  if (exp !== undefined && exp <= seconds) throw ofPossession('It is expired')
  if (nbf !== undefined && nbf > seconds + windowSeconds) throw ofPossession('It is not valid yet')
  // Wallets of drafts before 06 know no challenges. `jti` and `iat` prevent the replay of their proofs.
  if (challenge !== undefined && !nonceExpiry(deps, tenant, challenge, challengeUse)) {
    const headers = { 'OAuth-Client-Attestation-Challenge': newClientChallenge(deps, tenant) }
    throw new Problem('use_attestation_challenge', { headers })
  }
  const use = {
    hash: hashSecret(`attestation pop ${thumbprint(key)} ${jti}`),
    expiresAt: plusMs(at, 2 * windowSeconds * 1000),
  }
  if (!(await deps.db.tx((tx) => spendProofs(tx, tenant.id, [use])))) throw ofPossession('It was used before')
}

/**
 * Returns whether the audience is this tenant: the issuer of draft 07, or the host of the endpoint with or without its
 * port.
 */
function isAudience({ issuer }: Tenant, aud: string): boolean {
  const { host, hostname, pathname } = new URL(issuer)
  // The host alone does not name one of several issuers.
  const hosts = pathname === '/' ? [host, hostname] : []
  return [issuer, `${issuer}/`, ...hosts].includes(aud)
}

function singleHeader(headers: Headers, name: string): string {
  const value = headers[name]
  if (value === undefined) throw new Problem('invalid_client', { message: `The header ${name} is missing` })
  // Node joins repeated headers with a comma, which a JWS cannot contain.
  if (typeof value !== 'string' || value.includes(',')) throw refuse(`The header ${name} must be sent exactly once`)
  return value
}

const ofAttestation = (what: string) => refuse(`The client attestation is not acceptable. ${what}`)
const ofPossession = (what: string) => refuse(`The proof of possession is not acceptable. ${what}`)

function refuse(message: string): Problem {
  return new Problem('invalid_client_attestation', { message })
}
