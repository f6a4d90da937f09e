import { expect, test } from 'vitest'
import { findPublicationEnds } from '../../db/repos/operations/publication-ends.ts'
import { warnOfEndingLists } from '../../workers/publishing/warn-of-ending-lists.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { measureLists } from '../../workers/service-metrics/status-lists.ts'
import { iacas, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { createApi } from '../harness/api-client.ts'
import { mdlConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, tokenOf } from '../harness/harness.ts'
import { issueMobile, readNow, setMobileStatus } from '../harness/mobile-status.ts'
import { openChanges, publishedRow } from '../harness/published.ts'
import { runNow } from '../harness/run-now.ts'
import { fetchToken } from '../verifiers/token-list-reader.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

async function newTokenList(service: Service, wanted: object = {}) {
  const tenant = await service.addTenant()
  const iaca = await newIaca(tenant, wanted)
  const [issued] = await issueMobile(service, tenant, await mdlConfiguration(tenant, { includeStatus: true }))
  const { uri } = issued!.reference!
  const { db } = service.deps
  const listId = uri.split('/').at(-2)!
  return {
    ...{ tenant, uri, id: issued!.id, listId, iacaId: iaca.id },
    row: () => publishedRow(db, tenant.id, listId),
    changes: () => openChanges(db, listId),
    status: async () => (await fetchToken(service.origin, tenant, uri)).status,
    distribution: async () =>
      (await tenant.anonymous.get('/v2/credentials/mobile/status-lists/distribution')).body.status_lists,
  }
}

test('a list is renewed three days before it expires, an alarm is raised two days before, and after a week of downtime it is 410 until then', async () => {
  await using service = await startService()
  const list = await newTokenList(service)
  expect((await list.row()).renewAt!.getTime() - service.clock.now().getTime()).toBeGreaterThan(3.9 * dayMs)
  service.clock.advance(4 * dayMs - hourMs)
  await runNow(service.deps.bus, 'queueDueLists', 'signing-bulk')
  expect((await list.row()).version).toBe(1)
  service.clock.advance(2 * hourMs)
  await eventually(async () => (await list.row()).version === 2)
  await service.workers.stop()
  service.clock.advance(5 * dayMs - hourMs)
  expect(await alarmsOf(service)).toEqual([])
  service.clock.advance(2 * hourMs)
  expect(await alarmsOf(service)).toEqual([list.listId])
  service.clock.advance(2 * dayMs)
  await eventually(async () => (await list.status()) === 410)
  expect(await list.distribution()).toEqual([])
  await service.workers.start()
  await eventually(async () => (await list.status()) === 200)
  const { exp } = await readNow(service, list.tenant, list.uri)
  expect(exp * 1000).toBeGreaterThan(service.clock.now().getTime() + 6.9 * dayMs)
  expect(await list.distribution()).toEqual([list.uri])
})

/** The lists of the warning in the log. The metric counts the same lists. */
async function alarmsOf({ deps, clock }: Service): Promise<string[]> {
  const warnings: { lists: { listId: string }[] }[] = []
  const log = { ...deps.log, warn: (fields: never) => warnings.push(fields) }
  await warnOfEndingLists({ db: deps.db, clock, log: log as unknown as typeof deps.log })
  await measureLists({ db: deps.db, clock })
  const counted = await serviceMetricsRegistry.getSingleMetricAsString('trustwright_status_lists_ending')
  const ids = warnings.flatMap(({ lists }) => lists.map(({ listId }) => listId))
  expect(counted).toContain(`trustwright_status_lists_ending{kind="mobile"} ${ids.length}`)
  return ids
}

test('a list does not outlive its IACA, and is not published after the IACA has expired', async () => {
  await using service = await startService()
  const notAfter = new Date(Math.floor(service.clock.now().getTime() / 1000) * 1000 + 3 * dayMs)
  const list = await newTokenList(service, { notAfter: notAfter.toISOString() })
  const { expiresAt } = await list.row()
  expect(expiresAt).toEqual(notAfter)
  expect((await readNow(service, list.tenant, list.uri)).exp * 1000).toBe(notAfter.getTime())
  await service.workers.stop()
  await setMobileStatus(list.tenant, list.id, 'invalid')
  service.clock.advance(3 * dayMs)
  await service.workers.start()
  await eventually(async () => (await list.changes()) === 0)
  expect(await list.row()).toMatchObject({ version: 1, expiresAt: notAfter, renewAt: null })
  expect(await list.status()).toBe(410)
  expect(await list.distribution()).toEqual([])
  // The list needs no renewal, so neither the overview nor the metric names its end.
  const ends = await findPublicationEnds(service.deps.db.read, list.tenant.id, service.clock.now())
  expect([...ends.keys()]).toEqual([])
})

test('in the last hour of an IACA its lists contain changes, signed by the existing signer', async () => {
  await using service = await startService()
  const notAfter = new Date(Math.floor(service.clock.now().getTime() / 1000) * 1000 + 2 * hourMs)
  const list = await newTokenList(service, { notAfter: notAfter.toISOString() })
  const { signerId } = await list.row()
  await service.workers.stop()
  await setMobileStatus(list.tenant, list.id, 'invalid')
  service.clock.advance(1.5 * hourMs)
  await service.workers.start()
  await eventually(async () => Object.keys((await readNow(service, list.tenant, list.uri)).set).length === 1)
  expect(await list.row()).toMatchObject({ signerId, expiresAt: notAfter })
})

test('an IACA cannot be deleted while valid credentials need a status list under it', async () => {
  await using service = await startService()
  const { tenant, iacaId, ...list } = await newTokenList(service)
  for (const path of [signersPath('document-signer'), signersPath('status-list-signer')]) {
    for (const { id } of (await tenant.operator.get(path)).body.data) {
      await tenant.operator.put(`${path}/${id}`, { active: false })
      expect(await tenant.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
    }
  }
  await tenant.operator.put(`${iacas}/${iacaId}`, { active: false })
  const refused = await tenant.operator.delete(`${iacas}/${iacaId}`)
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('Status lists') } })

  await setMobileStatus(tenant, list.id, 'invalid')
  await eventually(async () => Object.keys((await readNow(service, tenant, list.uri)).set).length === 1)

  service.clock.advance(2 * 365 * dayMs)
  const token = await tokenOf(service.origin, tenant.host, tenant.clientId, tenant.clientSecret)
  const operator = createApi(service.origin, tenant.host, token)
  // The service made a signer for the changed list. It is deleted with the IACA.
  expect((await operator.get(signersPath('status-list-signer'))).body.data).not.toEqual([])
  expect(await operator.delete(`${iacas}/${iacaId}`)).toMatchObject({ status: 204 })
  expect((await operator.get(signersPath('status-list-signer'))).body.data).toEqual([])
})
