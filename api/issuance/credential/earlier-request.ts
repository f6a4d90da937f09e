import {
  findClaimedIssuance,
  findIssuance,
  type IssuanceResult,
  type NewIssuance,
} from '../../../db/repos/issuance/issuances.ts'
import { findUsesBefore, type ProofUse } from '../../../db/repos/issuance/sessions/spent-proofs.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'
import { countCredentials } from '../../../shared/domain/issuance/credential-count.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Holder } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { CheckedProofs } from '../proofs/check-proofs.ts'

/** Returns the single-use values that a request spends, with the hash that identifies a repeated request. */
export function usesOf(
  { id: usedFor, sessionId, configurationId }: NewIssuance,
  { singleUse, proofHash }: CheckedProofs,
): ProofUse[] {
  const requestHash = hashSecret(`credential request ${sessionId} ${configurationId} ${proofHash}`)
  return singleUse.map((use) => ({ ...use, usedFor, requestHash }))
}

/**
 * Finds the result of the same request, unless that issuance was cancelled. In that case the wallet creates another
 * proof.
 */
export async function findEarlier(deps: Deps, tenantId: string, uses: ProofUse[]): Promise<IssuanceResult | undefined> {
  const hashes = uses.map(({ hash }) => hash)
  const requestHash = uses[0]?.requestHash
  const before = await findUsesBefore(deps.db.read, tenantId, hashes)
  const [issuanceId] = new Set(before.map(({ usedFor }) => usedFor))
  const isSame = before.length === new Set(hashes).size && before.every((use) => use.requestHash === requestHash)
  const issuance = isSame && issuanceId ? await findIssuance(deps.db.read, tenantId, issuanceId) : undefined
  return issuance && issuance.state !== 'abandoned' && issuance.state !== 'wiped' ? issuance : undefined
}

/**
 * Returns whether a session of an authorization may collect this many credentials, as a preliminary check. The commit
 * decides. Each configuration of the session can be collected once in any case. For a pre-authorized offer this is the
 * only rule.
 */
export async function mayCollect(
  deps: Deps,
  { authorizationId, credentialsLeft, sessionId }: Holder,
  { tenantId, configurationId, holderKeys }: NewIssuance,
): Promise<boolean> {
  if (authorizationId === null) return true
  const count = countCredentials(holderKeys)
  if (count <= (credentialsLeft ?? defaultSettings.maxCredentialsPerSession)) return true
  return (await findClaimedIssuance(deps.db.read, tenantId, sessionId, configurationId)) === undefined
}
