import { eq } from 'drizzle-orm'
import { expect, onTestFailed, test } from 'vitest'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { surviveKills } from '../harness/kill-storm.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

const kinds = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']

async function startWithWebhook(env: Record<string, string>, url: string, events: string[]): Promise<Processes> {
  const service = await startProcesses(env, { queueIn: 'database' })
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  expect(await service.tenant.operator.post('/v1/webhooks', { events, url })).toMatchObject({ status: 201 })
  return service
}

test('queues in the database, processes killed at any time: no offer is lost or used twice, and every issuance is delivered', {
  timeout: 600_000,
}, async () => {
  await using receiver = await startReceiver()
  await using service = await startWithWebhook({ CREDENTIAL_DEADLINE_MS: '5000' }, receiver.url, kinds)
  const { tenant } = service
  const configurationIds = [await compactConfiguration(tenant), await webConfiguration(tenant)]
  await surviveKills({ service, receiver, configurationIds, kinds }, [['web'], ['signing', 'worker']])
})

test('queues in the database: another process takes over the job of a frozen worker, which does not end it a second time', async () => {
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(() => mayAnswer.then(() => ({})))
  await using service = await startWithWebhook({}, receiver.url, ['OpenIdCredentialIssued'])
  const { tenant, origin, db, bus } = service
  const configurationIds = [await compactConfiguration(tenant)]
  const issue = async () => {
    const offer = await newOffer(tenant, configurationIds)
    expect(await (await newWallet(tenant, origin, offer.uri)).collect()).toMatchObject({ status: 200 })
  }
  const delivered = () => db.read.select().from(deliveries).where(eq(deliveries.state, 'delivered'))
  const isQueueEmpty = async () => (await bus.queue('delivery').getJobCountByTypes('waiting', 'active')) === 0

  await issue()
  await eventually(async () => receiver.deliveries.length === 1)
  service.pause('worker')
  await service.start('second worker')
  await eventually(async () => receiver.deliveries.length === 2)
  letAnswer()
  const [first] = await eventually(async () => {
    const rows = await delivered()
    return rows.length === 1 && rows
  })
  await eventually(isQueueEmpty)

  service.resume('worker')
  await eventually(async () => service.output().includes('job lock lost'))
  await service.kill('second worker')
  await issue()
  await eventually(async () => (await delivered()).length === 2)
  await eventually(isQueueEmpty)
  expect((await delivered()).find(({ id }) => id === first?.id)).toEqual(first)
  expect(first?.attempts).toMatchObject([{ error: expect.stringContaining('worker ended') }, { status: 200 }])
  const ids = receiver.deliveries.map(({ body }) => body.event.id)
  expect(ids).toEqual([first?.eventId, first?.eventId, expect.not.stringMatching(first?.eventId ?? '')])
})
