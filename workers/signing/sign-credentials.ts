import { findIssuancesToSign, type IssuanceToSign, type RefusedIssuance } from '../../db/repos/issuance/issuances.ts'
import type { Refusal } from '../../db/tables/issuance/issuances.ts'
import { fromWireProblem, Problem, toWireProblem } from '../../shared/errors/errors.ts'
import { answerOf } from '../../shared/jobs/answered-credentials.ts'
import type { Outcomes } from '../../shared/jobs/definition.ts'
import type { IssuanceAnswer, IssuanceRef } from '../../shared/jobs/payloads.ts'
import { buildCredentials, type SignedIssuance } from './build-credentials.ts'
import { commitCredentials, type Loss, refusalOfLoss } from './commit-credentials.ts'
import type { SigningDeps } from './deps.ts'
import { problemOf } from './item-problem.ts'

type Outcome = Outcomes<IssuanceAnswer>['outcomes'][number]

const denial = 'credential_request_denied'
const outcomeOfLoss: Record<Loss, Outcome> = {
  collected: { problem: toWireProblem(new Problem(denial, { check: refusalOfLoss.collected.check })) },
  too_many: { problem: toWireProblem(new Problem('collected_enough')) },
  claim_link: { problem: toWireProblem(new Problem(denial, refusalOfLoss.claim_link)) },
}
const late: Outcome = { problem: toWireProblem(new Problem('service_unavailable', { retryAfterSeconds: 2 })) }

/**
 * Signs requested issuances and commits them together: claims offers and sessions, writes records and outbox rows. An issuance that is no
 * longer `requested` does not change, so a job can run twice.
 */
export async function signCredentials(deps: SigningDeps, items: IssuanceRef[]): Promise<Outcomes<IssuanceAnswer>> {
  deps.walletActivity.note()
  const outcomes = new Map<string, Outcome>()
  const byTenant = Map.groupBy(items, ({ tenantId }) => tenantId)
  await Promise.all([...byTenant].map(([tenantId, ofTenant]) => signForTenant(deps, tenantId, ofTenant, outcomes)))
  deps.bus.poke()
  return { outcomes: items.map(({ issuanceId }) => outcomes.get(issuanceId) ?? late) }
}

async function signForTenant(
  deps: SigningDeps,
  tenantId: string,
  items: IssuanceRef[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const ids = [...new Set(items.map(({ issuanceId }) => issuanceId))]
  const rows = await findIssuancesToSign(deps.db.read, tenantId, ids)
  const signed: SignedIssuance[] = []
  const refused: RefusedIssuance[] = []
  for (const row of rows) {
    const { id } = row.issuance
    const result = await sign(deps, row)
    if ('issuance' in result) {
      signed.push(result)
      continue
    }
    outcomes.set(id, result.outcome)
    if (result.refusal) refused.push({ id, refusal: result.refusal })
  }
  if (signed.length + refused.length === 0) return
  const traceparents = new Map(items.map(({ issuanceId, traceparent }) => [issuanceId, traceparent]))
  const committed = await commitCredentials(deps, { tenantId, signed, refused, traceparents })
  const issued = signed.filter(({ issuance }) => committed.issued.has(issuance.id))
  deps.issuanceCounts.add({ tenantId, configurationIds: issued.map(({ issuance }) => issuance.configurationId) })
  const profileOf = new Map(rows.map(({ issuance, configuration: { profile } }) => [issuance.id, profile]))
  for (const [id, profile] of profileOf) if (committed.refused.has(id)) deps.counts.refused({ tenantId, profile })
  for (const { issuance, credentials, sealed } of signed) {
    const { id } = issuance
    const profile = profileOf.get(id)
    if (profile && committed.issued.has(id)) {
      deps.counts.issued({ tenantId, profile, askedBy: 'wallet' }, credentials.length)
      outcomes.set(id, { ok: answerOf(sealed) })
    } else if (committed.refused.has(id)) outcomes.set(id, outcomeOfLoss[committed.losses.get(id) ?? 'collected'])
  }
}

/** Signs one issuance or returns its problem. A problem of one issuance does not affect the others of the job. */
async function sign(
  deps: SigningDeps,
  toSign: IssuanceToSign,
): Promise<SignedIssuance | { outcome: Outcome; refusal?: Refusal }> {
  const { id, tenantId, state } = toSign.issuance
  // An earlier run of the job issued it, or the deadline of the API ended it.
  if (state === 'issued') return { outcome: { ok: null } }
  if (state !== 'requested') return { outcome: late }
  try {
    return await buildCredentials(deps, toSign)
  } catch (error) {
    const problem = problemOf(deps, error)
    if (problem.problem !== denial) return { outcome: { problem } }
    const { check = 'claims', reason } = fromWireProblem(problem)
    deps.log.warn({ tenantId, issuanceId: id, reason }, 'issuance refused')
    return { outcome: { problem }, refusal: { check, reason } }
  }
}
