import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteView, insertView, updateView } from '../../../../db/repos/issuance/views.ts'
import type { ViewConfigurations } from '../../../../db/tables/issuance/views.ts'
import { newId } from '../../../../shared/ids.ts'
import { compactConfiguration, newOffer } from '../../../harness/factories.ts'
import { joinService, type SharedService } from '../../../harness/harness.ts'

let service: SharedService
let configurationId: string
let otherId: string
let view: { id: string; path: string }

beforeAll(async () => {
  service = await joinService()
  configurationId = await compactConfiguration(service)
  otherId = await compactConfiguration(service)
})
beforeEach(async () => {
  const content = { name: 'A', path: `a-${newId()}`, profile: 'standard', configurations: { ids: [configurationId] } }
  view = (await service.operator.post('/v1/views', content)).body
  // The process has read the view.
  await newOffer(service, [configurationId], { view: view.id })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const content = (configurations: ViewConfigurations) => ({
  ...{ name: 'A', profile: 'standard' as const, displayName: null, walletFamilies: null },
  configurations,
})

const offer = (id: string) =>
  service.operator.post('/v1/openid/offers/pre-authorized', { credentials: [id], claims: {}, view: view.id })

/** Changes the view as another process does: this process keeps what it has read. */
const byOtherProcess = (configurations: ViewConfigurations) =>
  service.deps.db.tx((tx) => updateView(tx, service.id, view.id, content(configurations)))

test('an offer of a view that another process has deleted is refused', async () => {
  await service.deps.db.tx((tx) => deleteView(tx, service.id, view.id, new Date()))
  expect(await offer(configurationId)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'view', value: view.id }] },
  })
})

test('an offer of what another process has removed from a view is refused', async () => {
  await byOtherProcess({ ids: [otherId] })
  expect(await offer(configurationId)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'credentials.0', value: configurationId }] },
  })
})

test('an offer of what another process has added to a view is made', async () => {
  await byOtherProcess({ profiles: ['compact'] })
  expect(await offer(otherId)).toMatchObject({ status: 200, body: { view: view.id } })
})

test('an offer of a view that the process has not read yet is made', async () => {
  const path = `b-${newId()}`
  const { id } = await service.deps.db.tx(async (tx) => {
    const row = { ...content({ profiles: ['compact'] }), id: newId(), path, host: null, tenantId: service.id }
    return (await insertView(tx, { ...row, createdAt: new Date() }))!
  })
  view = { id, path }
  expect(await offer(configurationId)).toMatchObject({ status: 200, body: { view: id } })
})
