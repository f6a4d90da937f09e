import { DidError } from '../../../shared/dids/did-error.ts'
import type { DidCurve, DidKey } from '../../../shared/formats/did-document-keys.ts'
import type { Deps } from '../../deps.ts'
import { type Failure, failure } from './failures.ts'

export interface Verifying {
  deps: Deps
  /** Who asks; tenants are served in turn. */
  tenantId: string
  deadlineAt: number
}

/** The key that an issuer signs credentials with, or why there is none. */
export async function findIssuerKey(
  { deps, deadlineAt }: Verifying,
  keyId: string,
  issuer: string,
  curve: DidCurve,
): Promise<{ key: DidKey } | { failed: Failure }> {
  try {
    const key = await deps.dids.keyOf(keyId, 'assertionMethod', { curves: [curve], deadlineAt })
    return key.did === issuer ? { key } : { failed: failure('UnknownKey', 'it is of another DID', { issuer }) }
  } catch (error) {
    if (!(error instanceof DidError)) throw error
    const { reason, message } = error
    return { failed: failure(reason === 'no_such_key' ? 'UnknownKey' : 'IssuerUnresolved', message, { issuer }) }
  }
}
