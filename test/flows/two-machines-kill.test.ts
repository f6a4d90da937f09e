import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { surviveKills } from '../harness/kill-storm.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** Two web processes and two signing processes on machines of their own, with PostgreSQL and without Redis. */
const kinds = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']
let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
let configurationIds: string[]

beforeAll(async () => {
  if (dialect !== 'postgres') return
  receiver = await startReceiver()
  const names = ['web', 'second web', 'signing', 'second signing', 'worker'] as const
  service = await startProcesses({}, { names, queueIn: 'database', apart: true })
  const { operator } = service.tenant
  expect(await operator.post('/v1/webhooks', { events: kinds, url: receiver.url })).toMatchObject({ status: 201 })
  configurationIds = [await compactConfiguration(service.tenant), await webConfiguration(service.tenant)]
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

const printErrorOutput = () => onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))

/** The number of requests that were ever sent as rows. */
async function sentRows(): Promise<number> {
  const [row] = await service.db.read
    .select({ count: sql<number>`n_tup_ins::int` })
    .from(sql`pg_stat_user_tables`)
    .where(sql`relname = 'queue_requests'`)
  return row?.count ?? 0
}

/** Returns a credential request that a web process answers. */
async function redeemed(origin: string) {
  const offer = await newOffer(service.tenant, configurationIds.slice(0, 1))
  const wallet = await newWallet(service.tenant, origin, offer.uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  return { offerId: offer.id, ask: () => wallet.requestCredential() }
}

test('each web process has its requests signed by processes of other machines, over rows of the database', {
  tags: 'postgres',
}, async () => {
  printErrorOutput()
  const before = await sentRows()
  for (const origin of [service.origin, service.secondOrigin]) {
    const { ask } = await redeemed(origin)
    expect(await ask()).toMatchObject({ status: 200 })
  }
  await eventually(async () => (await sentRows()) >= before + 2) // the server counts with a delay
})

test('a signing process of another machine answers the request of one that was killed during its commit', {
  tags: 'postgres',
}, async () => {
  printErrorOutput()
  const { db } = service
  await service.kill('second signing')
  const { offerId, ask } = await redeemed(service.secondOrigin)
  const answer = await db.tx(async (tx) => {
    await tx.update(offers).set({ id: offerId }).where(eq(offers.id, offerId))
    const answer = ask()
    await eventually(async () => (await waitingForLocks({ deps: service })) > 0)
    await service.kill('signing')
    await service.start('second signing')
    return { answer }
  })
  expect(await answer.answer).toMatchObject({ status: 200 })
  const rows = await db.read.select().from(issuances).where(eq(issuances.offerId, offerId))
  expect(rows.map(({ state }) => state)).toEqual(['issued'])
  await service.start('signing')
})

test('two machines, signing processes killed at any time: no offer is lost or used twice, and every issuance is delivered', {
  tags: 'postgres',
  timeout: 600_000,
}, async () => {
  printErrorOutput()
  const origins = [service.origin, service.secondOrigin]
  await surviveKills({ service, receiver, configurationIds, kinds }, [['signing', 'second signing']], { origins })
})
