import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events } from '../../db/tables/operations/events.ts'
import { type CheckName, checkNames } from '../../shared/domain/issuance/checks.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { eventually } from '../harness/harness.ts'
import { credentialFaults } from './credential-faults.ts'
import { type Fault, type FaultKit, type Step, startFaultKit } from './fault-kit.ts'
import { signInFaults } from './sign-in-faults.ts'
import { signingFaults } from './signing-faults.ts'

let kit: FaultKit
let faults: [name: string, fault: Fault][]
/** The id of the offer of each fault. */
const injected = new Map<string, string>()

beforeAll(async () => {
  kit = await startFaultKit()
  faults = Object.entries({ ...signInFaults(kit), ...credentialFaults(kit), ...signingFaults(kit) })
  for (const [name, { inject }] of faults) {
    kit.reset()
    injected.set(name, await inject())
  }
})
afterAll(() => kit?.[Symbol.asyncDispose]())

/** Waits for the failed step, because events arrive through the queue. */
async function failureOf(name: string, { step, tenant }: Fault): Promise<Step> {
  return eventually(async () => {
    const steps = await kit.timelineOf(injected.get(name) ?? '', tenant?.())
    return steps.find((each) => each.step === step && each.outcome === 'failure')
  })
}

/**
 * A token without a state belongs to no authorization, and a refused token of another authorization server to no offer. No timeline
 * contains its refusal.
 */
const neverRefusing: CheckName[] = [
  ...(['session_token_form', 'token_server', 'token_signature', 'token_active', 'token_form', 'token_issuer'] as const),
  ...(['token_audience', 'token_times', 'token_offer', 'token_scope', 'token_subject'] as const),
]

test('each check has a fault', () => {
  const refusing = faults.map(([, { check }]) => check)
  expect(new Set([...refusing, ...neverRefusing])).toEqual(new Set(checkNames))
})

test('the timeline names the check that refused and its clause', async () => {
  const checks: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const [name, fault] of faults) {
    const { refusedBy, passed } = await failureOf(name, fault)
    expect(passed).not.toContain(fault.check)
    checks[name] = refusedBy
    expected[name] = { check: fault.check, clause: expect.stringMatching(/^(OpenID|RFC)/) }
  }
  expect(checks).toEqual(expected)
})

test('a credential that the signing process refuses has one failed step', async () => {
  for (const [name, fault] of Object.entries(signingFaults(kit))) {
    await failureOf(name, fault)
    const steps = await kit.timelineOf(injected.get(name) ?? '', fault.tenant?.())
    expect(steps.filter(({ outcome }) => outcome === 'failure')).toHaveLength(1)
  }
})

describe('the event of a refusal', () => {
  const message = 'The proof is not acceptable. Its aud is not this issuer'

  async function refusedBy(error: Record<string, string>) {
    const { id } = await kit.oneWith()
    const at = kit.service.clock.now()
    const event = { tenantId: kit.service.id, category: 'OPENID4VCI', timestamp: at, requestId: newOrderedId(at) }
    const row = { ...event, id: newOrderedId(at), type: 'OPENID_CREDENTIAL_FAIL', offerId: id, data: { error } }
    await kit.service.deps.db.tx((tx) => tx.insert(events).values(row))
    return (await kit.timelineOf(id)).find(({ outcome }) => outcome === 'failure')?.refusedBy?.check
  }

  test('names the check, independent of the message', async () => {
    expect(await refusedBy({ type: 'invalid_proof', message, check: 'nonce' })).toBe('nonce')
  })

  test('of an older version names the check by its message', async () => {
    expect(await refusedBy({ type: 'invalid_proof', message })).toBe('proof_audience')
  })

  test('contains the check, but the error response does not', async () => {
    const { wallet } = await kit.oneWith()
    await wallet.redeem()
    const { body } = await wallet.requestCredential({ proofs: undefined })
    expect(body).toEqual({ error: 'invalid_proof', error_description: 'proofs is missing' })
  })
})
