import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs } from '../../../shared/clock.ts'
import { type Service, startService } from '../../harness/harness.ts'
import type { RunningProvider } from '../../servers/provider.ts'
import { runProviderFor, settingsFor, signedIn } from '../console/provider-people.ts'

let service: Service
let provider: RunningProvider
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
  provider = await runProviderFor(service.baseUrl)
  expect(await service.operator.put('/v1/sign-in-provider', settingsFor(provider))).toMatchObject({ status: 200 })
  await service.operator.put('/v1/settings?partial=true', { approvals: { statusChanges: 0 } })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Signs Ada in, who sends a request that needs an approval. */
async function askAsAda() {
  const session = await signedIn(service, 'ada')
  const change = { credentials: [randomUUID()], isRevoked: true }
  const { status, body } = await service.anonymous.post('/v2/credentials/revocation-status', change, session)
  expect(status).toBe(202)
  const path = `/v1/approvals/${body.approval.id}`
  return { session, path, approve: () => service.operator.post(`${path}/approve`, {}) }
}

const refused = { status: 409, body: { message: expect.stringContaining('has no session any more. Reject it') } }
const executed = { status: 200, body: { state: 'executed' } }

test('the request of a person who signed out waits until the person has signed in again', async () => {
  const { session, path, approve } = await askAsAda()
  expect(await service.anonymous.delete('/console/session', session)).toMatchObject({ status: 204 })
  // The session of another person does not count.
  await signedIn(service, 'grace')
  expect(await approve()).toMatchObject(refused)
  expect((await service.operator.get(path)).body.state).toBe('waiting')
  await signedIn(service, 'ada')
  expect(await approve()).toMatchObject(executed)
})

test('an idle session of the sender counts, and one that reached its maximum lifetime does not', async () => {
  const [first, second] = [await askAsAda(), await askAsAda()]
  service.clock.advance(hourMs)
  expect(await first.approve()).toMatchObject(executed)
  service.clock.advance(11 * hourMs)
  expect(await second.approve()).toMatchObject(refused)
  expect(await service.operator.post(`${second.path}/reject`, {})).toMatchObject({ body: { state: 'rejected' } })
})

test('the request of a person who lost the role at the provider is not executed', async () => {
  const { path, approve } = await askAsAda()
  const roles = [{ value: 'registry', roles: ['verifier'] }]
  expect(await service.operator.put('/v1/sign-in-provider', settingsFor(provider, { roles }))).toMatchObject({
    status: 200,
  })
  await signedIn(service, 'ada')
  expect(await approve()).toMatchObject({ status: 409, body: { message: expect.stringContaining('lost the role') } })
  expect((await service.operator.get(path)).body.state).toBe('waiting')
})
