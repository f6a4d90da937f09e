import { isUniqueViolation } from '../../../db/engine/unique-violation.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import {
  findClaimedIssuance,
  findIssuance,
  type IssuanceResult,
  insertIssuance,
  type NewIssuance,
} from '../../../db/repos/issuance/issuances.ts'
import { findUsesBefore, insertSpentProofs } from '../../../db/repos/issuance/sessions/spent-proofs.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'
import { countCredentials } from '../../../shared/domain/issuance/credential-count.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret } from '../../../shared/ids.ts'
import { wrongToken } from '../../access/holder.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { CheckedProofs } from '../proofs/check-proofs.ts'

/** The single-use values that a request spends, and the hash that identifies a repeated request. */
export interface SpentValues {
  uses: CheckedProofs['singleUse']
  requestHash: string
}

export function spentValuesOf(
  { sessionId }: Holder,
  { id }: ConfigurationRow,
  { singleUse, proofHash }: CheckedProofs,
): SpentValues {
  return { uses: singleUse, requestHash: hashSecret(`credential request ${sessionId} ${id} ${proofHash}`) }
}

/**
 * Stores the requested issuance in the transaction that spends its nonce. No event is emitted before a later commit
 * signs, cancels or defers it. Returns the issuance. If the wallet repeats the same request after a lost response,
 * returns the earlier issuance, so that nothing is issued twice.
 */
export async function writeRequest(
  { deps, tenant, url }: { deps: Deps; tenant: Tenant; url: string },
  holder: Holder,
  issuance: NewIssuance,
  spent: SpentValues,
): Promise<Pick<IssuanceResult, 'id' | 'state' | 'deferredAt'>> {
  const { tenantId, id } = issuance
  if (!(await mayCollect(deps, tenant, holder, issuance))) {
    const earlier = await findEarlier(deps, tenantId, spent)
    if (earlier) return earlier
    throw new Problem('collected_enough')
  }
  try {
    const isWritten = await deps.db.txAtOnce(
      async (tx) => {
        const { uses, requestHash } = spent
        const rows = uses.map((use) => ({ ...use, usedFor: id, requestHash }))
        await insertSpentProofs(tx, tenantId, rows)
        return insertIssuance(tx, issuance)
      },
      { mayLoseOnPowerFailure: true },
    )
    if (isWritten) return { id, state: 'requested', deferredAt: null }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The earlier use can be of this request itself, if the reply to its commit was lost.
    const earlier = await findEarlier(deps, tenantId, spent)
    if (earlier) return earlier
    throw new Problem('invalid_nonce')
  }
  throw wrongToken(tenant, url, { reason: 'The grant of the access token was revoked during the request' })
}

/**
 * Finds the result of the same request, unless that issuance was cancelled. In that case the wallet creates another
 * proof.
 */
async function findEarlier(
  deps: Deps,
  tenantId: string,
  { uses, requestHash }: SpentValues,
): Promise<IssuanceResult | undefined> {
  const hashes = uses.map(({ hash }) => hash)
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
async function mayCollect(
  deps: Deps,
  tenant: Tenant,
  { authorizationId, credentialsLeft, sessionId }: Holder,
  { configurationId, holderKeys }: NewIssuance,
): Promise<boolean> {
  if (authorizationId === null) return true
  const count = countCredentials(holderKeys)
  if (count <= (credentialsLeft ?? defaultSettings.maxCredentialsPerSession)) return true
  return (await findClaimedIssuance(deps.db.read, tenant.id, sessionId, configurationId)) === undefined
}
