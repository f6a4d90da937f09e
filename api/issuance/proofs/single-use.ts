import type { HolderKey } from '../../../db/tables/issuance/issuances.ts'
import { plusMs, unixSeconds } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { nonceExpiry } from '../../proofs/nonce.ts'
import { iatWindowSeconds } from './jwt-proof.ts'
import type { KeyAttestation } from './key-attestation.ts'

/** A value that a request spends: the hash under which it is stored, and its retention. */
export interface SingleUse {
  hash: string
  expiresAt: Date
}

/** A valid proof of any type. */
export interface CheckedProof {
  holderKeys: HolderKey[]
  nonce: string | undefined
  /** `iat` in seconds. */
  issuedAt: number
  id: string | undefined
  /** The signed part, which identifies a repeated proof. */
  signed: string
  attestation: KeyAttestation | undefined
}

/**
 * Returns the values that the proofs of a request spend: nonces if the tenant issues them, otherwise the proofs
 * themselves.
 */
export function singleUsesOf(deps: Deps, tenant: Tenant, proofs: CheckedProof[]): SingleUse[] {
  return tenant.profile === 'lenient' ? proofUses(deps, tenant, proofs) : nonceUses(deps, tenant, proofs)
}

/**
 * With a nonce endpoint every proof must contain one of its nonces (OpenID4VCI 1.0, section 8.2.1). One nonce may serve
 * a batch.
 */
function nonceUses(deps: Deps, tenant: Tenant, proofs: CheckedProof[]): SingleUse[] {
  const nonces = proofs.map(({ nonce }) => nonce)
  if (nonces.includes(undefined))
    throw new Problem('invalid_proof', { message: 'The nonce of the proof is missing', check: 'nonce' })
  // An attestation beside a proof may omit the nonce. If it has one, the nonce must be valid.
  const attested = proofs.map(({ attestation }) => attestation?.nonce)
  return [...new Set([...nonces, ...attested])].flatMap((nonce) => {
    if (nonce === undefined) return []
    const expiresAt = nonceExpiry(deps, tenant, nonce)
    if (!expiresAt) throw new Problem('invalid_nonce')
    // The hash starts with the time, so that values spent together are stored together.
    return { hash: `${expiresAt.toISOString()} ${hashSecret(`c_nonce ${nonce}`)}`, expiresAt }
  })
}

/** Longer than the `iat` window. */
const rememberedMs = 30 * 60_000

/**
 * Returns the uses of proofs without nonces. Such a proof is identified by its `jti`, or by its signed part. It is accepted in the
 * `iat` window only, because its use is not remembered for longer. An attestation can be older in other profiles.
 */
function proofUses(deps: Deps, tenant: Tenant, proofs: CheckedProof[]): SingleUse[] {
  const at = deps.clock.now()
  const expiresAt = plusMs(at, rememberedMs)
  return proofs.map(({ id, nonce, issuedAt, signed, attestation, holderKeys: [first] }) => {
    for (const each of [nonce, attestation?.nonce])
      if (each !== undefined && !nonceExpiry(deps, tenant, each)) throw new Problem('invalid_nonce')
    if (nonce === undefined && Math.abs(issuedAt - unixSeconds(at)) > iatWindowSeconds) throw tooOld()
    const name = id === undefined || !first ? signed : `${thumbprint(first.jwk)} ${id}`
    return { hash: hashSecret(`proof ${name}`), expiresAt }
  })
}

function tooOld(): Problem {
  const message = 'The proof is not acceptable. Its iat is too far from the current time'
  return new Problem('invalid_proof', { message, check: 'proof_times' })
}
