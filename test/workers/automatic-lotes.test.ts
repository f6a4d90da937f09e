import { afterAll, expect, test } from 'vitest'
import { listAuditEvents } from '../../db/repos/operations/audit/audit.ts'
import { openLote } from '../../shared/formats/trusted-lists/lote/lote-jws.ts'
import { queueDueTrustedLists } from '../../workers/publishing/queue-due-trusted-lists.ts'
import { draftList } from '../../workers/signing/trusted-lists/draft.ts'
import type { TrustedListDeps } from '../../workers/signing/trusted-lists/publish-trusted-list.ts'
import { entityOf, loteBody } from '../api/ecosystems/lote-bodies.ts'
import { newCertificate } from '../certificates/certificates.ts'
import { signingDeps } from '../harness/published.ts'
import { daily, startPublishing } from './list-publishing.ts'

const { service, newPublisher, operatorOf, listsOf, runQueued, tick, moveTo } = await startPublishing()
afterAll(() => service[Symbol.asyncDispose]())

test('a list has the entities that were configured while it was drafted', async () => {
  const { tenant, path } = await newPublisher()
  const operator = await operatorOf(tenant)
  const configure = (body: object) =>
    operator.put(`${path}/lotes/mdl-providers/configuration`, { ...body, autoPublish: daily })
  await configure(loteBody())
  const entity = entityOf('Later', await newCertificate({ name: 'Authority', ca: true }))
  const draftOnThread: TrustedListDeps['draftOnThread'] = async (...drafting) => {
    const draft = await draftList(...drafting)
    await configure(loteBody([entity]))
    return draft
  }
  await queueDueTrustedLists(service.deps)
  await runQueued(signingDeps(service, { draftOnThread }))
  const [list] = await listsOf(path, 'mdl-providers')
  const { payload } = openLote(list!.content!)
  expect(JSON.parse(payload.toString()).LoTE.TrustedEntitiesList).toMatchObject([
    { TrustedEntityInformation: { TEName: [{ value: 'Later' }] } },
  ])
})

// The clock moves by up to a day, after which the token of the platform has expired.
test('a list of trusted entities is published each day, each type with its own numbers', async () => {
  const { tenant, path } = await newPublisher()
  const operator = await operatorOf(tenant)
  for (const type of ['pid-providers', 'wallet-providers'])
    await operator.put(`${path}/lotes/${type}/configuration`, { ...loteBody(), autoPublish: daily })
  await tick()
  await tick()
  moveTo('day')
  await tick()
  const numbers = async (kind: 'pid-providers' | 'wallet-providers') =>
    (await listsOf(path, kind)).map(({ number, isAutoPublished }) => [number, isAutoPublished])
  for (const kind of ['pid-providers', 'wallet-providers'] as const)
    expect(await numbers(kind)).toEqual([
      [1, true],
      [2, true],
    ])
  const types = ['ECOSYSTEM_LOTE_CREATE_AUDIT']
  const { rows } = await listAuditEvents(service.deps.db.read, tenant.id, { types }, 9)
  expect(rows.map(({ data }) => data.loteType).toSorted()).toEqual([
    ...['pid-providers', 'pid-providers', 'wallet-providers', 'wallet-providers'],
  ])
})
