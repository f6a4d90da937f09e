import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../db/tables/issuance/users.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { limitPages, maxPages } from '../harness/limit-pages.ts'
import { startReceiver } from '../servers/receiver.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

const wallets = 5

test('queues in SQLite on a full disk: writes are answered with 503, and nothing accepted is lost or done twice', {
  tags: 'sqlite',
}, async () => {
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(() => mayAnswer.then(() => ({})))
  await using service = await startService({ queueIn: 'database', env: { CREDENTIAL_DEADLINE_MS: '5000' } })
  const { operator, deps } = service
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const configurationIds = [await compactConfiguration(service)]
  const redeemed = async () => {
    const wallet = await newWallet(service, service.origin, (await newOffer(service, configurationIds)).uri)
    expect(await wallet.redeem()).toMatchObject({ status: 200 })
    return () => wallet.requestCredential()
  }
  const [first = () => expect.unreachable(), ...others] = await Promise.all(Array.from({ length: wallets }, redeemed))
  expect(await first()).toMatchObject({ status: 200 })
  await eventually(async () => receiver.deliveries.length === 1)

  const countUsers = () => deps.db.read.$count(users, eq(users.tenantId, service.id))
  const before = await countUsers()
  await limitPages(deps.db, 1)
  const created = await createUntilRefused(service)
  // The job that runs cannot store its result now.
  letAnswer()
  const answers = await Promise.all(others.map((ask) => ask()))
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(await operator.get('/v1/users?limit=1')).toMatchObject({ status: 200 })

  await limitPages(deps.db, maxPages)
  for (const ask of others) expect(await persist(ask)).toMatchObject({ status: 200 })
  const delivered = eq(deliveries.state, 'delivered')
  await eventually(async () => (await deps.db.read.$count(deliveries, delivered)) === wallets)
  expect(await deps.db.read.$count(deliveries)).toBe(wallets)
  const credentialIds = receiver.deliveries.map(({ body }) => body.event.payload.credentialId)
  const eventIds = receiver.deliveries.map(({ body }) => body.event.id)
  expect([new Set(credentialIds).size, new Set(eventIds).size]).toEqual([wallets, wallets])
  expect((await countUsers()) - before).toBe(created)
})

/** Creates users until the database is full. Returns their number. */
async function createUntilRefused({ operator }: Service): Promise<number> {
  for (let created = 0; ; created++) {
    const { status, headers, body } = await operator.post('/v1/users', { claims: { given_name: 'x'.repeat(1_000) } })
    if (status === 201) continue
    expect({ status, headers, body }).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String) },
      body: { code: 'ServiceUnavailable' },
    })
    return created
  }
}
