import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import type { DidCurve, DidKey } from '../../../shared/formats/did-document-keys.ts'
import type { DidRelationship } from '../../../shared/formats/did-document-read.ts'
import type { Deps } from '../../deps.ts'
import { failure, type VerificationFailure } from './failures.ts'

export interface VerificationContext {
  deps: Deps
  /** The calling tenant. The worker threads serve tenants round robin. */
  tenantId: string
  deadlineAt: number
}

/** Finds the key with which an issuer signs credentials. Returns the failure if there is none. */
export async function findIssuerKey(
  context: VerificationContext,
  keyId: string,
  issuer: string,
  curve: DidCurve,
): Promise<{ key: DidKey } | { failed: VerificationFailure }> {
  const result = await findKey(context, keyId, 'assertionMethod', curve)
  if ('key' in result && result.key.did !== issuer)
    return { failed: failure('UnknownKey', 'the key belongs to another DID', { issuer }) }
  if ('key' in result) return result
  const { reason, message } = result.why
  return { failed: failure(reason === 'no_such_key' ? 'UnknownKey' : 'IssuerUnresolved', message, { issuer }) }
}

/** Finds the authentication key of a holder. Returns the failure if there is none. */
export async function findHolderKey(
  context: VerificationContext,
  keyId: string,
): Promise<{ key: DidKey } | { failed: VerificationFailure }> {
  const result = await findKey(context, keyId, 'authentication', 'Ed25519')
  if ('key' in result) return result
  const { reason, message } = result.why
  return { failed: failure(reason === 'no_such_key' ? 'UnknownKey' : 'HolderUnresolved', message) }
}

async function findKey(
  { deps, deadlineAt }: VerificationContext,
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
