import { profiles } from '../../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { nonceMembers } from '../../proofs/nonce.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { type CredentialRequest, type CredentialResponse, needsOneName } from './schemas.ts'

/**
 * Returns whether the request has the form of drafts 11 to 13 of OpenID4VCI. Tenants with the profile `lenient` accept
 * it.
 */
export function isOlder({ profile }: Tenant, { format, proof }: CredentialRequest): boolean {
  return profile === 'lenient' && (format !== undefined || proof !== undefined)
}

/**
 * Converts a request to the terms of the final specification. Throws an error response if the request has neither form.
 */
export async function currentRequest(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  sent: CredentialRequest,
): Promise<CredentialRequest> {
  const isNamed = sent.credential_configuration_id !== undefined || sent.credential_identifier !== undefined
  if (!isOlder(tenant, sent)) {
    if (!isNamed) throw new Problem('invalid_credential_request', { message: needsOneName })
    return sent
  }
  const proofs = sent.proofs ?? proofsOf(sent.proof)
  if (isNamed) return { ...sent, proofs }
  return { ...sent, proofs, credential_configuration_id: await configurationIdOf(deps, tenant, holder, sent) }
}

/**
 * Returns the members of the response for wallets of the drafts: the first credential, and the nonce for the next
 * proof.
 */
export function olderAnswer(deps: Deps, tenant: Tenant, credentials: CredentialResponse['credentials']) {
  const [first] = credentials
  return { ...(first && { credential: first.credential }), ...nonceMembers(deps, tenant) }
}

/** Converts a single `proof`, whose type is in its `proof_type`. */
function proofsOf(proof: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (proof === undefined) return undefined
  const { proof_type: type } = proof
  if (typeof type !== 'string')
    throw new Problem('invalid_proof', { message: 'proof.proof_type is missing', check: 'proof_form' })
  return { [type]: [proof[type]] }
}

/** Returns the first configuration of the token that has this format and type. */
async function configurationIdOf(
  deps: Deps,
  tenant: Tenant,
  { configurationIds }: Holder,
  sent: CredentialRequest,
): Promise<string> {
  const { credential_definition: definition, doctype } = sent
  const types = definition?.type ?? definition?.types ?? sent.types ?? (doctype === undefined ? undefined : [doctype])
  for (const id of configurationIds) {
    const row = await findRecentConfiguration(deps, tenant.id, id)
    if (row && profiles[row.profile].format === sent.format && (types?.includes(row.type) ?? true)) return id
  }
  throw new Problem('unknown_credential_configuration')
}
