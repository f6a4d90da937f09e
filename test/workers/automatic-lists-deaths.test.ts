import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { findPublishedTrustedList } from '../../db/repos/ecosystems/trusted-lists.ts'
import { ecosystemPolicies } from '../../db/tables/ecosystems/policies.ts'
import { dayMs, hourMs } from '../../shared/clock.ts'
import { queueDueTrustedLists } from '../../workers/publishing/queue-due-trusted-lists.ts'
import { newListed, newType } from '../api/ecosystems/factories.ts'
import { newCertificate } from '../certificates/certificates.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { readTrustedList } from '../harness/trusted-list.ts'

import { daily, die, ecosystemOf, killed, startPublishing } from './list-publishing.ts'

const { service, operatorOf, configure, newPublisher, listsOf, queued, runQueued, tick, moveTo, dying } =
  await startPublishing()
afterAll(() => service[Symbol.asyncDispose]())

/** The points at which a process dies during an automatic publication. What it has written stays. */
const deaths: Record<string, () => Promise<void>> = {
  async 'a scheduler before it queues'() {
    await expect(queueDueTrustedLists({ ...service.deps, bus: { ...service.deps.bus, sendMany: die } })).rejects.toBe(
      killed,
    )
  },
  async 'a scheduler when it has queued, and Redis loses the jobs'() {
    await queueDueTrustedLists(service.deps)
    for (const job of await queued()) await job.remove()
  },
  async 'a signing process before it commits'() {
    await queueDueTrustedLists(service.deps)
    const dead = runQueued(dying((tx, work) => tx((writer) => work(writer).then(die))))
    await expect(dead).rejects.toBe(killed)
  },
  async 'a signing process before it has read anything'() {
    await queueDueTrustedLists(service.deps)
    await expect(runQueued(dying(die))).rejects.toBe(killed)
  },
  async 'a signing process when it has committed, before its job is done'() {
    await queueDueTrustedLists(service.deps)
    await runQueued(dying((tx, work) => tx(work).then(die))).catch((error) => expect(error).toBe(killed))
  },
}

test('daily publication over 40 days, with one kind of crash on each day, makes 40 lists, and none expires', async () => {
  const random = seededRandom()
  const { tenant, path, roots } = await newPublisher()
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  const lasting = { name: 'Readers', ca: true, notAfter: new Date(Date.now() + 100 * dayMs) }
  await newListed(tenant, path, 'verifier', { credentialId, holds: [await newCertificate(lasting)] })
  moveTo('day')
  await configure(tenant, path, daily)
  const ecosystemId = ecosystemOf(path)
  await (await operatorOf(tenant)).put(`${path}/ricals/configuration`, {
    ricalProvider: 'Aotearoa',
    autoPublish: daily,
  })
  const firstDay = Math.floor(service.clock.now().getTime() / dayMs)
  for (let day = 0; day < 40; day++) {
    const order = Object.keys(deaths).sort(() => random() - 0.5)
    for (let hour = 0; hour < 24; hour++) {
      const death = order[hour]
      if (death) await deaths[death]!()
      else if (hour === order.length || hour === 23) await tick()
      for (const kind of ['vical', 'rical'] as const) {
        const last = await findPublishedTrustedList(service.deps.db.read, tenant.id, ecosystemId, kind, 'latest')
        if (day > 0 || hour >= order.length) expect(last!.nextUpdate! > service.clock.now()).toBe(true)
      }
      service.clock.advance(hourMs)
    }
  }
  for (const kind of ['vical', 'rical'] as const) {
    const lists = await listsOf(path, kind)
    expect(lists.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(lists.map(({ date }) => Math.floor(date!.getTime() / dayMs) - firstDay)).toEqual([...lists.keys()])
    for (const { content, date } of lists.slice(-2)) readTrustedList(content!, { kind, roots, at: date! })
  }
  expect(await service.deps.db.read.$count(ecosystemPolicies, eq(ecosystemPolicies.ecosystemId, ecosystemId))).toBe(40)
})
