import type { HolderKey } from '../../../db/tables/issuances.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { nonceExpiry } from '../nonce.ts'
import type { CredentialRequest } from '../schemas.ts'
import { type JwtProof, verifyJwtProof } from './jwt-proof.ts'

/** How many credentials one request may ask for; the metadata's `batch_size`. */
export const batchSize = 20

/** Something that the request uses up: the hash under which it is remembered, and for how long it has to be. */
export interface SingleUse {
  hash: string
  expiresAt: Date
}

export interface CheckedProofs {
  holderKeys: HolderKey[]
  singleUse: SingleUse[]
}

/** Checks all proofs of a request (OpenID4VCI 1.0, section 8.2.1). What they use up is returned; spending it is the caller's. */
export function checkProofs(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  proofs: CredentialRequest['proofs'],
): CheckedProofs {
  const context = { issuer: tenant.baseUrl, clientId: holder.clientId, now: deps.clock.now() }
  const verified = jwtsOf(proofs).map((jwt) => ({ jwt, ...verifyJwtProof(jwt, context) }))
  const holderKeys = verified.map(({ holderKey }) => holderKey)
  // Each credential of a batch is bound to a key of its own.
  if (new Set(holderKeys.map(({ jwk }) => thumbprint(jwk))).size !== holderKeys.length) {
    throw new Problem('invalid_proof', { message: 'Two proofs are of the same key' })
  }
  const singleUse = tenant.profile === 'lenient' ? proofUses(deps, tenant, verified) : nonceUses(deps, tenant, verified)
  return { holderKeys, singleUse }
}

/** The JWTs of a `proofs` object, which holds exactly one type of proof. */
function jwtsOf(proofs: CredentialRequest['proofs']): string[] {
  if (!proofs) throw new Problem('invalid_proof', { message: 'proofs is missing' })
  if (Object.keys(proofs).length !== 1)
    throw new Problem('invalid_proof', { message: 'proofs must hold exactly one type' })
  const { jwt } = proofs
  if (!Array.isArray(jwt)) throw new Problem('invalid_proof', { message: 'Only proofs of type jwt are accepted' })
  if (jwt.length < 1 || jwt.length > batchSize)
    throw new Problem('invalid_proof', { message: `1 to ${batchSize} proofs are accepted` })
  const texts = jwt.filter((each): each is string => typeof each === 'string' && each.length <= 20_000)
  if (texts.length !== jwt.length) throw new Problem('invalid_proof', { message: 'A proof is not a JWS' })
  return texts
}

/** With a nonce endpoint every proof carries a nonce of it (OpenID4VCI 1.0, section 8.2.1). One nonce may serve a batch. */
function nonceUses(deps: Deps, tenant: Tenant, proofs: JwtProof[]): SingleUse[] {
  const nonces = proofs.map(({ nonce }) => nonce)
  if (nonces.includes(undefined)) throw new Problem('invalid_proof', { message: 'The nonce of the proof is missing' })
  return [...new Set(nonces)].map((nonce = '') => {
    const expiresAt = nonceExpiry(deps, tenant, nonce)
    if (!expiresAt) throw new Problem('invalid_nonce')
    // In front the time, so that what is spent together stands together.
    return { hash: `${expiresAt.toISOString()} ${hashSecret(`c_nonce ${nonce}`)}`, expiresAt }
  })
}

/** As long as the `iat` window, and then some. */
const rememberedMs = 30 * 60_000

/** Without nonces, a proof is single-use by its `jti`, or else as it is. */
function proofUses(deps: Deps, tenant: Tenant, proofs: (JwtProof & { jwt: string })[]): SingleUse[] {
  const expiresAt = plusMs(deps.clock.now(), rememberedMs)
  return proofs.map(({ jwt, id, nonce, holderKey }) => {
    if (nonce !== undefined && !nonceExpiry(deps, tenant, nonce)) throw new Problem('invalid_nonce')
    // The signed part: an ECDSA signature can be altered and still be valid.
    const signed = jwt.slice(0, jwt.lastIndexOf('.'))
    return { hash: hashSecret(`proof ${id === undefined ? signed : `${thumbprint(holderKey.jwk)} ${id}`}`), expiresAt }
  })
}
