import { isUniqueViolation } from '../../../db/engine/unique-violation.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import {
  findClaimedIssuance,
  findIssuance,
  type IssuanceResult,
  insertIssuance,
  type NewIssuance,
} from '../../../db/repos/issuance/issuances.ts'
import { findUsesBefore, insertSpentProofs } from '../../../db/repos/issuance/spent-proofs.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Holder, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { CheckedProofs } from '../proofs/check-proofs.ts'

/** What a request uses up, and by what it is known again. */
export interface Spending {
  uses: CheckedProofs['singleUse']
  requestHash: string
}

export function spendingOf(
  { sessionId }: Holder,
  { id }: ConfigurationRow,
  { singleUse, proofHash }: CheckedProofs,
): Spending {
  return { uses: singleUse, requestHash: hashSecret(`credential request ${sessionId} ${id} ${proofHash}`) }
}

/**
 * Writes down what is wanted, in the transaction in which its nonce is spent. Nobody is told of anything before the signing process, or
 * who calls it off or defers it, has committed something more. Returns the issuance: an earlier one, where the very same
 * request was written before, of which the wallet did not hear, so that nothing is issued twice.
 */
export async function writeRequest(
  deps: Deps,
  tenant: Tenant,
  holder: Holder,
  issuance: NewIssuance,
  spending: Spending,
): Promise<Pick<IssuanceResult, 'id' | 'state' | 'deferredAt'>> {
  const { tenantId, id } = issuance
  if (!(await mayCollect(deps, tenant, holder, issuance))) {
    const earlier = await findEarlier(deps, tenantId, spending)
    if (earlier) return earlier
    throw new Problem('collected_enough')
  }
  try {
    const isWritten = await deps.db.txAtOnce(
      async (tx) => {
        const { uses, requestHash } = spending
        const rows = uses.map((use) => ({ ...use, usedFor: id, requestHash }))
        await insertSpentProofs(tx, tenantId, rows)
        return insertIssuance(tx, issuance)
      },
      { isFlushedLater: true },
    )
    if (isWritten) return { id, state: 'requested', deferredAt: null }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // It can be this request itself, where it did not hear of its own commit.
    const earlier = await findEarlier(deps, tenantId, spending)
    if (earlier) return earlier
    throw new Problem('invalid_nonce')
  }
  throw new Problem('invalid_token', { reason: 'What the access token was given for was taken back meanwhile' })
}

/** What the very same request came to before, unless that was called off: then the wallet makes another proof. */
async function findEarlier(
  deps: Deps,
  tenantId: string,
  { uses, requestHash }: Spending,
): Promise<IssuanceResult | undefined> {
  const hashes = uses.map(({ hash }) => hash)
  const before = await findUsesBefore(deps.db.read, tenantId, hashes)
  const [issuanceId] = new Set(before.map(({ usedFor }) => usedFor))
  const isSame = before.length === new Set(hashes).size && before.every((use) => use.requestHash === requestHash)
  const issuance = isSame && issuanceId ? await findIssuance(deps.db.read, tenantId, issuanceId) : undefined
  return issuance && issuance.state !== 'abandoned' && issuance.state !== 'wiped' ? issuance : undefined
}

/**
 * Whether a session of an authorization may still collect so many, as far as can be seen: who commits them decides. What it is for it gets
 * once in any case; of a pre-authorized offer that is all there is.
 */
async function mayCollect(
  deps: Deps,
  tenant: Tenant,
  { authorizationId, credentialsLeft, sessionId }: Holder,
  { configurationId, holderKeys }: NewIssuance,
): Promise<boolean> {
  if (authorizationId === null) return true
  const count = holderKeys.length
  const { maxCredentialsPerSession: most } = tenant.settings
  if (count > most)
    throw new Problem('credential_request_denied', { message: `Here ${most} can be had with one token` })
  if (count <= (credentialsLeft ?? defaultSettings.maxCredentialsPerSession)) return true
  return (await findClaimedIssuance(deps.db.read, tenant.id, sessionId, configurationId)) === undefined
}
