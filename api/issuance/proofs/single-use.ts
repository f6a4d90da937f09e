import type { HolderKey } from '../../../db/tables/issuance/issuances.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { nonceExpiry } from '../../proofs/nonce.ts'
import type { KeyAttestation } from './key-attestation.ts'

/** Something that the request uses up: the hash under which it is remembered, and for how long it has to be. */
export interface SingleUse {
  hash: string
  expiresAt: Date
}

/** A proof that is sound, whatever its type. */
export interface CheckedProof {
  holderKeys: HolderKey[]
  nonce: string | undefined
  id: string | undefined
  /** The part that is signed, by which it is known again. */
  signed: string
  attestation: KeyAttestation | undefined
}

/** What the proofs of a request use up: nonces where the tenant gives some, or else the proofs themselves. */
export function singleUsesOf(deps: Deps, tenant: Tenant, proofs: CheckedProof[]): SingleUse[] {
  return tenant.profile === 'lenient' ? proofUses(deps, tenant, proofs) : nonceUses(deps, tenant, proofs)
}

/** With a nonce endpoint every proof carries a nonce of it (OpenID4VCI 1.0, section 8.2.1). One nonce may serve a batch. */
function nonceUses(deps: Deps, tenant: Tenant, proofs: CheckedProof[]): SingleUse[] {
  const nonces = proofs.map(({ nonce }) => nonce)
  if (nonces.includes(undefined)) throw new Problem('invalid_proof', { message: 'The nonce of the proof is missing' })
  // An attestation beside a proof need not be fresh; one that says that it is has to be.
  const attested = proofs.map(({ attestation }) => attestation?.nonce)
  return [...new Set([...nonces, ...attested])].flatMap((nonce) => {
    if (nonce === undefined) return []
    const expiresAt = nonceExpiry(deps, tenant, nonce)
    if (!expiresAt) throw new Problem('invalid_nonce')
    // In front the time, so that what is spent together stands together.
    return { hash: `${expiresAt.toISOString()} ${hashSecret(`c_nonce ${nonce}`)}`, expiresAt }
  })
}

/** As long as the `iat` window, and then some. */
const rememberedMs = 30 * 60_000

/** Without nonces, a proof is single-use by its `jti`, or else as it is. */
function proofUses(deps: Deps, tenant: Tenant, proofs: CheckedProof[]): SingleUse[] {
  const expiresAt = plusMs(deps.clock.now(), rememberedMs)
  return proofs.map(({ id, nonce, signed, holderKeys: [first] }) => {
    if (nonce !== undefined && !nonceExpiry(deps, tenant, nonce)) throw new Problem('invalid_nonce')
    const name = id === undefined || !first ? signed : `${thumbprint(first.jwk)} ${id}`
    return { hash: hashSecret(`proof ${name}`), expiresAt }
  })
}
