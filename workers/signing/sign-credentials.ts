import type { Writer } from '../../db/client.ts'
import { addToOutbox, type OutboxEntry } from '../../db/outbox.ts'
import { holdInUse } from '../../db/repos/certificates/signers.ts'
import { insertStored } from '../../db/repos/credentials/stored.ts'
import {
  claimSession,
  findIssuanceToSign,
  finishIssuance,
  insertCredentials,
  refuseIssuances,
} from '../../db/repos/issuance/issuances.ts'
import { claimOffer } from '../../db/repos/issuance/offers.ts'
import { insertEntries } from '../../db/repos/status/lists.ts'
import { Problem, toWireProblem } from '../../shared/errors.ts'
import type { Outcomes } from '../../shared/jobs/definition.ts'
import type { IssuanceRef } from '../../shared/jobs/payloads.ts'
import { buildCredentials, type SignedIssuance } from './build-credentials.ts'
import type { SigningDeps } from './deps.ts'
import { problemOf } from './item-problem.ts'

type Outcome = Outcomes<null>['outcomes'][number]

const denial = toWireProblem(new Problem('credential_request_denied'))
const denied: Outcome = { problem: denial }
const late: Outcome = { problem: toWireProblem(new Problem('service_unavailable', { retryAfterSeconds: 2 })) }

/**
 * Signs requested issuances and commits them together: offer claimed, session claimed, records written, webhooks on
 * their way. An issuance that is no longer `requested` is left as it is, so that a job may run twice.
 */
export async function signCredentials(deps: SigningDeps, items: IssuanceRef[]): Promise<Outcomes<null>> {
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
  const signed: SignedIssuance[] = []
  const refused: string[] = []
  for (const id of ids) {
    const result = await sign(deps, tenantId, id)
    if ('issuance' in result) {
      signed.push(result)
      continue
    }
    outcomes.set(id, result.outcome)
    if (result.isRefused) refused.push(id)
  }
  if (signed.length + refused.length === 0) return
  const issued = await deps.db.tx((tx) => commit(tx, deps, tenantId, signed, refused))
  for (const { issuance } of signed) outcomes.set(issuance.id, issued.get(issuance.id) ?? late)
}

/** Signs one issuance, or says why not. What goes wrong with one is no matter of the others in the job. */
async function sign(
  deps: SigningDeps,
  tenantId: string,
  id: string,
): Promise<SignedIssuance | { outcome: Outcome; isRefused?: boolean }> {
  const toSign = await findIssuanceToSign(deps.db.read, tenantId, id)
  if (!toSign) return { outcome: late }
  const { state } = toSign.issuance
  // An earlier run of the job, or the API's deadline, was here before.
  if (state === 'issued') return { outcome: { ok: null } }
  if (state !== 'requested') return { outcome: late }
  try {
    return await buildCredentials(deps, toSign)
  } catch (error) {
    const problem = problemOf(deps, error)
    if (problem.problem !== denial.problem) return { outcome: { problem } }
    deps.log.warn({ tenantId, issuanceId: id, reason: problem.reason ?? problem.message }, 'an issuance was refused')
    return { outcome: { problem }, isRefused: true }
  }
}

/**
 * Writes results; whoever lost a race for its issuance, offer or session gets nothing, and nothing of it stays. What is still
 * `requested` although it could not be finished has lost its session: nobody could collect it. What was signed by a certificate
 * that was revoked or made inactive meanwhile, or whose authority was, is not written; it can be asked for again, and another one signs it.
 */
async function commit(
  tx: Writer,
  deps: SigningDeps,
  tenantId: string,
  signed: SignedIssuance[],
  refused: string[],
): Promise<Map<string, Outcome>> {
  const at = deps.clock.now()
  const issued: SignedIssuance[] = []
  const lost: string[] = []
  const unfinished: string[] = []
  const certificateIds = signed.flatMap((each) => each.certificateIds)
  const inUse = await holdInUse(tx, tenantId, certificateIds)
  for (const each of signed.toSorted(byOffer)) {
    if (!each.certificateIds.every((id) => inUse.has(id))) continue
    const { id, offerId, authorizationId, sessionId, configurationId } = each.issuance
    if (!(await finishIssuance(tx, each.issuance, each.credentials, at))) {
      unfinished.push(id)
      continue
    }
    const claimed =
      (offerId === null || authorizationId !== null || (await claimOffer(tx, tenantId, offerId))) &&
      (await claimSession(tx, { tenantId, sessionId, configurationId, issuanceId: id }))
    if (claimed) issued.push(each)
    else lost.push(id)
  }
  const ended = await refuseIssuances(tx, tenantId, { requested: [...refused, ...unfinished], lost }, at)
  await insertStored(
    tx,
    issued.flatMap(({ stored }) => stored),
  )
  await insertCredentials(
    tx,
    issued.flatMap(({ records }) => records),
  )
  await insertEntries(
    tx,
    issued.flatMap(({ entries }) => entries),
  )
  const events = issued.map(({ issuance: { id } }): OutboxEntry<'fanOut'> => {
    return { id, payload: { tenantId, kind: 'issuance', subjectId: id } }
  })
  await addToOutbox(tx, 'fanOut', events, at)
  return new Map([
    ...issued.map(({ issuance }): [string, Outcome] => [issuance.id, { ok: null }]),
    ...ended.map((id): [string, Outcome] => [id, denied]),
  ])
}

/** Two batches often have credentials of the same offers: each takes these in the same order (hold.ts). */
function byOffer({ issuance: left }: SignedIssuance, { issuance: right }: SignedIssuance): number {
  const [a, b] = [left, right].map(({ offerId, id }) => `${offerId} ${id}`) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}
