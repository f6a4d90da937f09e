import { profiles } from '../../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { nonceMembers } from '../../proofs/nonce.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { type CredentialRequest, type CredentialResponse, needsOneName } from './schemas.ts'

/** Whether the request is as drafts 11 to 13 of OpenID4VCI have it, from a wallet that a lenient tenant serves all the same. */
export function isOlder({ profile }: Tenant, { format, proof }: CredentialRequest): boolean {
  return profile === 'lenient' && (format !== undefined || proof !== undefined)
}

/** The same request in the terms of the final specification. Throws what a request that is none of either is told. */
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

/** What such a wallet reads in the answer: the one credential, and the nonce for its next proof. */
export function olderAnswer(deps: Deps, tenant: Tenant, credentials: CredentialResponse['credentials']) {
  const [first] = credentials
  return { ...(first && { credential: first.credential }), ...nonceMembers(deps, tenant) }
}

/** A single `proof`, which says its type beside itself. */
function proofsOf(proof: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (proof === undefined) return undefined
  const { proof_type: type } = proof
  if (typeof type !== 'string') throw new Problem('invalid_proof', { message: 'proof.proof_type is missing' })
  return { [type]: [proof[type]] }
}

/** The first of the configurations that the token is for which is of that format and type. */
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
