import type { Writer } from '../../db/client.ts'
import { addToOutbox } from '../../db/outbox.ts'
import {
  claimSession,
  findIssuanceToSign,
  finishIssuance,
  type IssuanceToSign,
  insertCredentials,
  refuseIssuances,
} from '../../db/repos/issuances.ts'
import { claimOffer } from '../../db/repos/offers.ts'
import { Problem, toWireProblem } from '../../shared/errors.ts'
import type { IssuanceRef, Outcomes } from '../../shared/jobs/registry.ts'
import { buildCredentials, type SignedIssuance } from './build-credentials.ts'
import type { SigningDeps } from './handlers.ts'

type Outcome = Outcomes<null>['outcomes'][number]

const denied: Outcome = { problem: toWireProblem(new Problem('credential_request_denied')) }
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
    const toSign = await findIssuanceToSign(deps.db.read, tenantId, id)
    if (!toSign) continue
    if (toSign.issuance.state !== 'requested') {
      outcomes.set(id, outcomeOf(toSign.issuance.state))
      continue
    }
    const result = await buildOrRefuse(deps, toSign)
    if (result) signed.push(result)
    else refused.push(id)
  }
  const issued = await deps.db.tx((tx) => commit(tx, deps, tenantId, signed, refused))
  for (const id of refused) outcomes.set(id, denied)
  for (const { issuance } of signed) outcomes.set(issuance.id, issued.get(issuance.id) ?? late)
}

/** What an earlier run of the job, or the API's deadline, made of the issuance. */
function outcomeOf(state: IssuanceToSign['issuance']['state']): Outcome {
  if (state === 'issued') return { ok: null }
  return state === 'refused' ? denied : late
}

/** Undefined when these claims cannot be signed in this format, whoever asks and however often. */
async function buildOrRefuse(deps: SigningDeps, toSign: IssuanceToSign): Promise<SignedIssuance | undefined> {
  try {
    return await buildCredentials(deps, toSign)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    deps.log.warn({ tenantId: toSign.issuance.tenantId, issuanceId: toSign.issuance.id }, error.message)
    return undefined
  }
}

/** Writes results; whoever lost a race for its issuance, offer or session gets nothing, and nothing of it stays. */
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
  for (const each of signed) {
    const { id, offerId, sessionId, configurationId } = each.issuance
    if (!(await finishIssuance(tx, tenantId, id, each.credentials, at))) continue
    const claimed =
      (offerId === null || (await claimOffer(tx, tenantId, offerId))) &&
      (await claimSession(tx, { tenantId, sessionId, configurationId, issuanceId: id }))
    if (claimed) issued.push(each)
    else lost.push(id)
  }
  await refuseIssuances(tx, tenantId, [...lost, ...refused], at)
  await insertCredentials(
    tx,
    issued.flatMap(({ records }) => records),
  )
  const events = issued.map(({ issuance }) => ({ payload: { tenantId, issuanceId: issuance.id } }))
  await addToOutbox(tx, 'fanOutIssuances', events, at)
  return new Map([
    ...issued.map(({ issuance }): [string, Outcome] => [issuance.id, { ok: null }]),
    ...lost.map((id): [string, Outcome] => [id, denied]),
  ])
}
