import { hash } from 'node:crypto'
import { z } from 'zod'
import { spendProofs } from '../../db/repos/issuance/sessions/spent-proofs.ts'
import { plusMs, unixSeconds } from '../../shared/clock.ts'
import { followsHaip } from '../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { thumbprint } from '../../shared/formats/jwk.ts'
import { hashSecret } from '../../shared/ids.ts'
import { equalInConstantTime } from '../../shared/secrets/secrets.ts'
import type { Deps } from '../deps.ts'
import type { Application } from '../http/application.ts'
import type { Headers } from '../http/route.ts'
import { dpopChallenge } from './challenge.ts'
import { dpopAlgorithms } from './dpop-algorithms.ts'
import { readJws, readPublicJwk } from './jws.ts'
import { newNonce, nonceExpiry } from './nonce.ts'

type Tenant = Application['tenant']

/** The parts of a request that its DPoP proof must match. */
export interface ProvenRequest {
  headers: Headers
  method: string
  /** The published URL, independent of changes by a proxy. */
  url: string
  rawBody(): Promise<Buffer>
}

export interface DpopProof {
  /** Thumbprint of the proven key. */
  jkt: string
}

/** The server role whose nonces and errors apply: authorization server or resource server (RFC 9449, sections 8 and 9). */
export type DpopPlace = 'server' | 'resource'

const Header = z.object({
  typ: z.literal('dpop+jwt'),
  alg: z.enum(dpopAlgorithms),
  jwk: z.record(z.string(), z.unknown()),
  crit: z.undefined().optional(),
})

const Payload = z.object({
  jti: z.string().min(1).max(500),
  htm: z.string(),
  htu: z.string().max(4_000),
  iat: z.number(),
  nonce: z.string().max(500).optional(),
  ath: z.string().optional(),
  htcd: z.string().max(200).optional(),
})

const windowSeconds = 60

/**
 * Checks and spends the DPoP proof of a request (RFC 9449, section 4.3). Returns undefined if there is no proof. At a resource the
 * proof must match `accessToken`. Throws `invalid_dpop_proof` or `use_dpop_nonce` of the server role.
 */
export async function checkDpop(
  deps: Deps,
  tenant: Tenant,
  request: ProvenRequest,
  role: DpopPlace,
  accessToken?: string,
): Promise<DpopProof | undefined> {
  const { dpop } = request.headers
  if (dpop === undefined) return undefined
  const refuse = refusing(request, role)
  // Step 1: Node joins repeated headers with a comma, which a JWS cannot contain.
  if (typeof dpop !== 'string' || dpop.length > 10_000) throw refuse('There must be one DPoP proof')
  const proof = readJws(dpop, { header: Header, payload: Payload }, refuse)
  const jwk = readPublicJwk(proof.header.jwk, refuse)
  proof.verify(proof.header.alg, jwk)

  const { jti, htm, htu, iat, nonce, ath, htcd } = proof.payload
  // Steps 8 and 9
  if (htm !== request.method) throw refuse('Its htm is not the method of the request')
  const address = normalAddress(htu)
  if (address === undefined || address !== normalAddress(request.url)) {
    throw refuse('Its htu is not the address of the request')
  }
  // Step 10
  if (requiresNonce(tenant)) requireNonce(deps, tenant, request, role, nonce)
  // Step 11
  const at = deps.clock.now()
  if (Math.abs(iat - unixSeconds(at)) > windowSeconds) throw refuse('Its iat is too far from the current time')
  // Step 12
  if (accessToken !== undefined && !equalInConstantTime(ath ?? '', hashSecret(accessToken))) {
    throw refuse('Its ath is not the hash of the access token')
  }
  // The interface's own extension: if the proof has an htcd, it must be the digest of the payload.
  if (htcd !== undefined && !isDigestOf(htcd, await request.rawBody()))
    throw refuse('Its htcd is not the digest of this payload')

  // Section 11.1: each proof is accepted once per URL, as long as its iat would be accepted.
  const jkt = thumbprint(jwk)
  const use = { hash: hashSecret(`dpop ${address} ${jkt} ${jti}`), expiresAt: plusMs(at, 2 * windowSeconds * 1000) }
  if (!(await deps.db.tx((tx) => spendProofs(tx, tenant.id, [use])))) throw refuse('It was used before')
  return { jkt }
}

/** Whether proofs need a nonce of this server (HAIP 1.0 allows servers to require one). */
function requiresNonce(tenant: Tenant): boolean {
  return followsHaip(tenant.profile)
}

/** Returns the response header with the nonce for the next proof. */
export function nextNonce(deps: Deps, tenant: Tenant, role: DpopPlace): Record<string, string> {
  return requiresNonce(tenant) ? { 'DPoP-Nonce': newNonce(deps, tenant, `dpop_nonce ${role}`) } : {}
}

function requireNonce(
  deps: Deps,
  tenant: Tenant,
  request: ProvenRequest,
  role: DpopPlace,
  nonce: string | undefined,
): void {
  if (nonce !== undefined && nonceExpiry(deps, tenant, nonce, `dpop_nonce ${role}`)) return
  const headers = nextNonce(deps, tenant, role)
  if (role === 'server') throw new Problem('use_dpop_nonce', { headers })
  const challenge = dpopChallenge(request.url, 'use_dpop_nonce')
  throw new Problem('use_dpop_nonce_at_resource', { headers: { ...headers, ...challenge } })
}

function refusing(request: ProvenRequest, role: DpopPlace): (what: string) => Problem {
  return (what) => {
    const message = what.replace(/^Its? /, (start) => `The DPoP proof is not acceptable. ${start}`)
    if (role === 'server') return new Problem('invalid_dpop_proof', { message })
    const headers = dpopChallenge(request.url, 'invalid_dpop_proof')
    return new Problem('invalid_dpop_proof_at_resource', { message, headers })
  }
}

/** Section 4.3: normalizes a URL by syntax and scheme (RFC 3986, section 6.2), and removes query and fragment. */
function normalAddress(address: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username || url.password) return undefined
  return url.origin + url.pathname.replace(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase())
}

function isDigestOf(text: string, payload: Buffer): boolean {
  const digest = hash('sha256', payload, 'buffer')
  return equalInConstantTime(text, digest.toString('base64')) || equalInConstantTime(text, digest.toString('base64url'))
}
