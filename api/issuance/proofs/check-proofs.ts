import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { HolderKey } from '../../../db/tables/issuance/issuances.ts'
import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { batchSizeFor } from './batch-size.ts'
import { verifyJwtProof } from './jwt-proof.ts'
import { type KeyAttestation, verifyKeyAttestation } from './key-attestation.ts'
import { type CheckedProof, type SingleUse, singleUsesOf } from './single-use.ts'

export interface CheckedProofs {
  /** Empty if the credential is not bound to a key. */
  holderKeys: HolderKey[]
  singleUse: SingleUse[]
  /** A hash of the signed parts of all proofs. It is equal only for the same proofs. */
  proofHash: string
}

/**
 * Checks all proofs of a request (OpenID4VCI 1.0, section 8.2.1). Returns the single-use values, which the caller
 * spends.
 */
export function checkProofs(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  configuration: ConfigurationRow,
  proofs: Record<string, unknown> | undefined,
): CheckedProofs {
  // OpenID4VCI 1.0, section 12.2.4: without a binding method, no proof is required.
  if (!isKeyBound(configuration)) return { holderKeys: [], singleUse: [], proofHash: hashSecret('') }
  const { keyAttestationsRequired: rules } = configuration.settings
  const now = deps.clock.now()
  const isTrusting = tenant.settings.keyAttestationRoots.length > 0
  const attest = isTrusting ? once((jws) => verifyKeyAttestation(jws, { tenant, rules, now })) : undefined
  const batchSize = batchSizeFor(tenant, configuration)
  const { type, texts } = readProofs(proofs, batchSize)
  const checked =
    type === 'attestation'
      ? texts.map((jws) => ofAttestation(attest?.(jws)))
      : texts.map((jws) => ofJwt(jws, deps, tenant, holder, attest))
  const attestations = new Set(checked.map(({ attestation }) => attestation?.signed))
  if (rules && attestations.has(undefined)) throw refuse('key_attestation', 'The keys must be attested')
  attestations.delete(undefined)
  // HAIP 1.0, section 4.5.1: all attested keys of a batch are in one attestation.
  if (followsHaip(tenant.profile) && attestations.size > 1)
    throw refuse('key_attestation', 'All proofs of a batch must have the same key attestation')
  const proofHash = hashSecret(checked.map(({ signed }) => signed).join(' '))
  return { holderKeys: keysOf(checked, batchSize), singleUse: singleUsesOf(deps, tenant, checked), proofHash }
}

/** Returns `verify` with its results stored by JWS, because proofs of a batch can repeat one attestation. */
function once(verify: (jws: string) => KeyAttestation): (jws: string) => KeyAttestation {
  const verified = new Map<string, KeyAttestation>()
  return (jws) => {
    const attestation = verified.get(jws) ?? verify(jws)
    verified.set(jws, attestation)
    return attestation
  }
}

function ofJwt(
  jws: string,
  { clock }: Deps,
  { issuer, settings }: Tenant,
  { clientId }: Holder,
  attest: ((jws: string) => KeyAttestation) | undefined,
): CheckedProof {
  const roots = settings.keyAttestationRoots
  const proof = verifyJwtProof(jws, { issuer, clientId, now: clock.now(), attest, roots })
  const { holderKey, attestation } = proof
  // The signed part, because an ECDSA signature can be altered and stay valid.
  return { ...proof, signed: jws.slice(0, jws.lastIndexOf('.')), holderKeys: [holderKey], attestation }
}

/** Appendix F.3: the attestation is itself the proof of all keys in it. */
function ofAttestation(attestation: KeyAttestation | undefined): CheckedProof {
  if (!attestation) throw refuse('key_attestation', 'Proofs of type attestation are not accepted')
  const { keys, nonce, issuedAt, signed } = attestation
  return { holderKeys: keys.map((jwk) => ({ jwk })), nonce, issuedAt, id: undefined, signed, attestation }
}

/** Returns the keys to bind: one credential for each proven key and for each key attested with it. */
function keysOf(checked: CheckedProof[], batchSize: number): HolderKey[] {
  const proven = checked.flatMap(({ holderKeys }) => holderKeys)
  if (proven.length === 1 && !checked[0]?.attestation) return proven
  // Each credential of a batch is bound to a different key.
  const thumbprints = new Set(proven.map(({ jwk }) => thumbprint(jwk)))
  if (thumbprints.size !== proven.length) throw refuse('proof_key', 'Two proofs have the same key')
  const beside = checked.flatMap(({ attestation }) => (attestation ? keysBeside(attestation, thumbprints) : []))
  const all = new Map([...proven, ...beside].reverse().map((key) => [thumbprint(key.jwk), key]))
  if (all.size > batchSize) throw refuse('batch_size', `1 to ${batchSize} keys are accepted`)
  return [...all.values()].reverse()
}

/**
 * Returns the attested keys. The nonce of an attestation proves that it is new (OpenID4VCI 1.0, appendix D.1). Throws
 * `invalid_proof` if there is no nonce and a key is not in `proven`, the thumbprints of keys with a proof of possession.
 */
function keysBeside({ keys, nonce }: KeyAttestation, proven: Set<string>): HolderKey[] {
  if (nonce === undefined && keys.some((jwk) => !proven.has(thumbprint(jwk))))
    throw refuse('key_attestation', 'A key attestation with more keys than proofs must have a nonce')
  return keys.map((jwk) => ({ jwk }))
}

/**
 * Returns the JWSs of a `proofs` object. It must contain exactly one proof type. The type `attestation` has exactly one
 * entry.
 */
function readProofs(
  proofs: Record<string, unknown> | undefined,
  batchSize: number,
): { type: 'jwt' | 'attestation'; texts: string[] } {
  if (!proofs) throw refuse('proof_form', 'proofs is missing')
  const [[type, values] = [], ...more] = Object.entries(proofs)
  if (more.length > 0 || type === undefined) throw refuse('proof_form', 'proofs must contain exactly one type')
  if (type !== 'jwt' && type !== 'attestation')
    throw refuse('proof_form', 'Only proofs of type jwt and attestation are accepted')
  if (!Array.isArray(values)) throw refuse('proof_form', `proofs.${type} is not an array`)
  const max = type === 'jwt' ? batchSize : 1
  if (values.length < 1) throw refuse('proof_form', `1 to ${max} proofs are accepted`)
  if (values.length > max) throw refuse(type === 'jwt' ? 'batch_size' : 'proof_form', `1 to ${max} proofs are accepted`)
  const texts = values.filter((each): each is string => typeof each === 'string' && each.length <= 40_000)
  if (texts.length !== values.length) throw refuse('proof_form', 'A proof is not a JWS')
  return { type, texts }
}

function refuse(check: CheckName, message: string): Problem {
  return new Problem('invalid_proof', { message, check })
}
