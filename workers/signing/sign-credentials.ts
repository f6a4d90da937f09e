import { findIssuancesToSign } from '../../db/repos/issuance/issuances-to-sign.ts'
import type { Refusal } from '../../db/tables/issuance/issuances.ts'
import { fromWireProblem, Problem, toWireProblem } from '../../shared/errors/errors.ts'
import { answerOf } from '../../shared/jobs/answered-credentials.ts'
import type { Outcomes } from '../../shared/jobs/definition.ts'
import type { IssuanceAnswer, IssuanceRef, IssuanceRequest } from '../../shared/jobs/payloads.ts'
import { type SignedIssuance, startCredentials } from './build-credentials.ts'
import { commitCredentials, type Loss, type RefusedToCommit, refusalOfLoss } from './commit-credentials.ts'
import type { SigningDeps } from './deps.ts'
import { problemOf } from './item-problem.ts'
import { startEach } from './start-each.ts'
import { findRequestsToSign, type NotWritten, type ToSign } from './unwritten-issuances.ts'

type Outcome = Outcomes<IssuanceAnswer>['outcomes'][number]

const denial = 'credential_request_denied'
const outcomeOfLoss: Record<Loss, Outcome> = {
  collected: { problem: toWireProblem(new Problem(denial, { check: refusalOfLoss.collected.check })) },
  too_many: { problem: toWireProblem(new Problem('collected_enough')) },
  claim_link: { problem: toWireProblem(new Problem(denial, refusalOfLoss.claim_link)) },
}
const late: Outcome = { problem: toWireProblem(new Problem('service_unavailable', { retryAfterSeconds: 2 })) }

const outcomeOfNotWritten: Record<NotWritten, Outcome> = {
  issued: { ok: null },
  ended: late,
  repeated: { problem: toWireProblem(new Problem('invalid_nonce')) },
  session_ended: { problem: toWireProblem(new Problem('invalid_token')) },
}

/**
 * Signs requests of wallets and commits them together: spends proofs, claims offers and sessions, writes issuances, records and outbox rows.
 * A second run finds the proofs spent or the row written, so a job can run twice.
 */
export function issueCredentials(deps: SigningDeps, items: IssuanceRequest[]): Promise<Outcomes<IssuanceAnswer>> {
  return signByTenant(deps, items, async (tenantId, ofTenant, outcomes) => {
    const { toSign, notWritten } = await findRequestsToSign(deps, tenantId, ofTenant)
    for (const [id, reason] of notWritten) outcomes.set(id, outcomeOfNotWritten[reason])
    return toSign
  })
}

/** Signs deferred issuances. One that is no longer `requested` does not change. */
export function signCredentials(deps: SigningDeps, items: IssuanceRef[]): Promise<Outcomes<IssuanceAnswer>> {
  return signByTenant(deps, items, (tenantId, ofTenant) => {
    const ids = [...new Set(ofTenant.map(({ issuanceId }) => issuanceId))]
    return findIssuancesToSign(deps.db.read, tenantId, ids)
  })
}

async function signByTenant<Item extends IssuanceRef>(
  deps: SigningDeps,
  items: Item[],
  find: (tenantId: string, ofTenant: Item[], outcomes: Map<string, Outcome>) => Promise<ToSign[]>,
): Promise<Outcomes<IssuanceAnswer>> {
  deps.walletActivity.note()
  const outcomes = new Map<string, Outcome>()
  const traceparents = new Map(items.map(({ issuanceId, traceparent }) => [issuanceId, traceparent]))
  const byTenant = Map.groupBy(items, ({ tenantId }) => tenantId)
  const signGroup = async ([tenantId, ofTenant]: [string, Item[]]) => {
    const rows = await find(tenantId, ofTenant, outcomes)
    await signForTenant(deps, { tenantId, rows, traceparents }, outcomes)
  }
  await Promise.all([...byTenant].map(signGroup))
  deps.bus.poke()
  return { outcomes: items.map(({ issuanceId }) => outcomes.get(issuanceId) ?? late) }
}

interface OfTenant {
  tenantId: string
  rows: ToSign[]
  traceparents: ReadonlyMap<string, string | undefined>
}

async function signForTenant(
  deps: SigningDeps,
  { tenantId, rows, traceparents }: OfTenant,
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const { signed, refused } = await signAll(deps, rows, outcomes)
  if (signed.length + refused.length === 0) return
  const committed = await commitCredentials(deps, { tenantId, signed, refused, traceparents })
  const issued = signed.filter(({ issuance }) => committed.issued.has(issuance.id))
  deps.issuanceCounts.add({ tenantId, configurationIds: issued.map(({ issuance }) => issuance.configurationId) })
  const profileOf = new Map(rows.map(({ issuance, configuration: { profile } }) => [issuance.id, profile]))
  for (const [id, profile] of profileOf) if (committed.refused.has(id)) deps.counts.refused({ tenantId, profile })
  for (const [id, reason] of committed.notWritten) outcomes.set(id, outcomeOfNotWritten[reason])
  for (const { issuance, credentials, sealed } of signed) {
    const { id } = issuance
    const profile = profileOf.get(id)
    if (profile && committed.issued.has(id)) {
      deps.counts.issued({ tenantId, profile, askedBy: 'wallet' }, credentials.length)
      outcomes.set(id, { ok: answerOf(sealed) })
    } else if (committed.refused.has(id)) outcomes.set(id, outcomeOfLoss[committed.losses.get(id) ?? 'collected'])
  }
}

/** Signs issuances. A problem of one issuance is its outcome, and does not affect the others of the job. */
async function signAll(
  deps: SigningDeps,
  rows: ToSign[],
  outcomes: Map<string, Outcome>,
): Promise<{ signed: SignedIssuance[]; refused: RefusedToCommit[] }> {
  const requested = rows.filter(({ issuance: { state } }) => state === 'requested')
  for (const { issuance } of rows) {
    const { id, state } = issuance
    // An earlier run of the job issued it, or the deadline of the API ended it.
    if (state !== 'requested') outcomes.set(id, state === 'issued' ? { ok: null } : late)
  }
  const signed: SignedIssuance[] = []
  const refused: RefusedToCommit[] = []
  const results = await startEach(requested, (row) => startCredentials(deps, row))
  for (const [at, { issuance, unwritten }] of requested.entries()) {
    const result = results[at]
    if (result?.status === 'fulfilled') signed.push({ ...result.value, ...(unwritten && { unwritten }) })
    if (result?.status !== 'rejected') continue
    const { outcome, refusal } = refusalOf(deps, issuance, result.reason)
    outcomes.set(issuance.id, outcome)
    if (refusal) refused.push({ id: issuance.id, refusal, ...(unwritten && { unwritten }) })
  }
  return { signed, refused }
}

/** Returns the outcome of an error, and the refusal if the claims cannot be signed. */
function refusalOf(
  deps: SigningDeps,
  { id, tenantId }: ToSign['issuance'],
  error: unknown,
): { outcome: Outcome; refusal?: Refusal } {
  const problem = problemOf(deps, error)
  if (problem.problem !== denial) return { outcome: { problem } }
  const { check = 'claims', reason } = fromWireProblem(problem)
  deps.log.warn({ tenantId, issuanceId: id, reason }, 'issuance refused')
  return { outcome: { problem }, refusal: { check, reason } }
}
