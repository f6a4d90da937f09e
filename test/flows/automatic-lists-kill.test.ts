import { count, eq, isNotNull, max } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { trustedListConfigurations, trustedLists } from '../../db/tables/ecosystems/trusted-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import { newEcosystem } from '../api/ecosystems/factories.ts'
import { newEcosystemCa } from '../certificates/hierarchy.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'

const victims: ProcessName[] = ['signing', 'worker']
const many = 12

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Makes the stored times a day older, so that publications become due. The processes have the machine's clock. */
async function letADayPass() {
  const { db } = service
  const { id, lastAutomaticAt } = trustedListConfigurations
  await db.tx(async (tx) => {
    for (const row of await tx.select({ id, lastAutomaticAt }).from(trustedListConfigurations)) {
      const dayBefore = row.lastAutomaticAt && plusMs(row.lastAutomaticAt, -24 * 3_600_000)
      await tx.update(trustedListConfigurations).set({ lastAutomaticAt: dayBefore }).where(eq(id, row.id))
    }
  })
}

const published = () => service.db.read.$count(trustedLists, isNotNull(trustedLists.number))

test('whichever process is killed during automatic publication, each ecosystem has one list per day', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const { tenant, bus, db } = service
  await newEcosystemCa(tenant)
  const autoPublish = { enabled: true, frequency: 'Daily' }
  for (let made = 0; made < many; made++) {
    const path = await newEcosystem(tenant)
    await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Aotearoa', autoPublish })
  }
  let days = 0
  for (const victim of victims) {
    if (days > 0) await letADayPass()
    const before = days++ * many
    await bus.send('queueDueTrustedLists', {})
    await eventually(async () => (await published()) > before)
    await service.kill(victim)
    await service.start(victim)
    await bus.send('queueDueTrustedLists', {})
    await eventually(async () => (await published()) === days * many)
  }
  await bus.send('queueDueTrustedLists', {})
  const { ecosystemId, number } = trustedLists
  const lists = await db.read
    .select({ count: count(), last: max(number) })
    .from(trustedLists)
    .groupBy(ecosystemId)
  expect(lists).toEqual(Array.from({ length: many }, () => ({ count: days, last: days })))
})
