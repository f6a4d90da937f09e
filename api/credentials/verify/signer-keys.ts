import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import type { DidCurve, DidKey } from '../../../shared/formats/did-document-keys.ts'
import type { DidRelationship } from '../../../shared/formats/did-document-read.ts'
import type { Deps } from '../../deps.ts'
import { failure, type VerificationFailure } from './failures.ts'

export interface Verifying {
  deps: Deps
  /** Who asks; tenants are served in turn. */
  tenantId: string
  deadlineAt: number
}

/** The key that an issuer signs credentials with, or why there is none. */
export async function findIssuerKey(
  verifying: Verifying,
  keyId: string,
  issuer: string,
  curve: DidCurve,
): Promise<{ key: DidKey } | { failed: VerificationFailure }> {
  const found = await findKey(verifying, keyId, 'assertionMethod', curve)
  if ('key' in found && found.key.did !== issuer)
    return { failed: failure('UnknownKey', 'it is of another DID', { issuer }) }
  if ('key' in found) return found
  const { reason, message } = found.why
  return { failed: failure(reason === 'no_such_key' ? 'UnknownKey' : 'IssuerUnresolved', message, { issuer }) }
}

/** The key that a holder shows who it is with, or why there is none. */
export async function findHolderKey(
  verifying: Verifying,
  keyId: string,
): Promise<{ key: DidKey } | { failed: VerificationFailure }> {
  const found = await findKey(verifying, keyId, 'authentication', 'Ed25519')
  if ('key' in found) return found
  const { reason, message } = found.why
  return { failed: failure(reason === 'no_such_key' ? 'UnknownKey' : 'HolderUnresolved', message) }
}

async function findKey(
  { deps, deadlineAt }: Verifying,
  keyId: string,
  relationship: DidRelationship,
  curve: DidCurve,
): Promise<{ key: DidKey } | { why: DidError }> {
  try {
    return { key: await deps.dids.keyOf(keyId, relationship, { curves: [curve], deadlineAt }) }
  } catch (error) {
    if (error instanceof DidError) return { why: error }
    throw error
  }
}
