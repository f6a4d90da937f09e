import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoteType, loteTypeNames } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { readIntegratedList } from '../../../workers/integrations/read-integrated-list.ts'
import { type Certified, newCertificate, pemOf } from '../../certificates/certificates.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newEcosystem, bytesAt as readBytes } from './factories.ts'
import { entityOf, loteBody } from './lote-bodies.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newPublisher(entities: object[] = [], type: LoteType = 'pid-providers') {
  const tenant = await service.addTenant()
  const ecosystem = await newEcosystem(tenant)
  const { certificatePem } = await newEcosystemCa(tenant)
  const lists = (of: LoteType) => `${ecosystem}/lotes/${of}`
  const configure = (all: object[], more: object = {}, of = type) =>
    tenant.operator.put(`${lists(of)}/configuration`, { ...loteBody(all), ...more })
  await configure(entities)
  const publish = (of = type) => tenant.operator.post(lists(of))
  return { tenant, configure, publish, lists, path: lists(type), root: new X509Certificate(certificatePem) }
}

const bytesAt = (tenant: TestTenant, path: string) => readBytes(service, tenant, path)
const newAuthority = (name = 'Authority') => newCertificate({ name, ca: true })

function payloadOf(jws: Buffer) {
  const [header = '', payload = ''] = jws.toString().split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), document: read(payload) }
}

test('this service reads the published lists of all types, with a number for each type', async () => {
  const authority = await newAuthority()
  const { tenant, configure, publish, lists, root } = await newPublisher()
  for (const type of loteTypeNames) {
    await configure([entityOf('Entity', authority)], {}, type)
    expect(await publish(type), type).toMatchObject({ status: 201, body: { loteSequenceNumber: 1 } })
    const { bytes, headers } = await bytesAt(tenant, `${lists(type)}/public/latest`)
    expect(headers['content-type']).toBe('application/jose')
    expect(headers['content-disposition']).toMatch(new RegExp(`filename="${type}-\\d{4}-\\d\\d-\\d\\d-\\d+\\.jws"`))
    const { header, document } = payloadOf(bytes)
    expect(header).toMatchObject({ alg: 'ES256', typ: 'jose', cty: 'json', iat: expect.any(Number) })
    expect(document.LoTE.ListAndSchemeInformation).toMatchObject({ LoTESequenceNumber: 1, SchemeTerritory: 'EU' })
    const asked = { bytes, format: 'etsi-lote', loteType: type, anchors: [root.toString()] } as const
    expect(readIntegratedList({ ...asked, at: service.clock.now() })).toMatchObject({
      list: { number: 1, entries: [{ name: 'Entity', services: ['issuance'] }], skipped: { count: 0 } },
    })
  }
})

test('the next list has the next number and states its changes', async () => {
  const [one, two] = [await newAuthority('One'), await newAuthority('Two')]
  const { tenant, configure, publish, path } = await newPublisher([entityOf('First', one)])
  await publish()
  const revocation = { name: 'Revocation', type: 'revocation', certificates: [pemOf(one)] }
  const first = entityOf('First', one)
  await configure([{ ...first, services: [...first.services, revocation] }, entityOf('Second', two)])
  expect((await publish()).body).toMatchObject({ loteSequenceNumber: 2 })
  const open = tenant.anonymous
  const listed = (await open.get(`${path}/public`)).body.data
  expect(listed).toMatchObject([{ loteSequenceNumber: 1 }, { loteSequenceNumber: 2, isAutoPublished: false }])
  expect((await open.get(`${path}/public/2/changes?since=1`)).body).toMatchObject({
    added: [{ entity: 'Second', services: ['issuance'], subject: 'CN=Two' }],
    removed: [],
    changed: [{ entity: 'First', services: ['issuance', 'revocation'], formerServices: ['issuance'] }],
  })
  expect((await open.get(`${path}/public/1/changes?since=1`)).body).toEqual({ added: [], removed: [], changed: [] })
  const { data } = (await open.get(`${path}/public/2/certificates`)).body
  expect(data.map(({ certificateFingerprint }: { certificateFingerprint: string }) => certificateFingerprint)).toEqual(
    [one, two].map(fingerprintOf),
  )
  expect(await tenant.operator.delete(`${path}/2`)).toMatchObject({ status: 204 })
  expect(payloadOf((await bytesAt(tenant, `${path}/public/latest`)).bytes).document.LoTE).toMatchObject({
    ListAndSchemeInformation: { LoTESequenceNumber: 1 },
  })
  expect((await publish()).body).toMatchObject({ loteSequenceNumber: 3 })
})

test('a configuration is read as it was set, and its deletion keeps the lists', async () => {
  const { tenant, configure, publish, path } = await newPublisher([entityOf('Entity', await newAuthority())])
  await publish()
  const retention = { keepLast: 30, keepMonthly: true }
  const { body } = await configure([], { retention, autoPublish: { enabled: true, frequency: 'Daily' } })
  expect(body).toMatchObject({ ...loteBody(), retention, autoPublish: { enabled: true } })
  expect((await tenant.operator.get(`${path}/configuration`)).body).toEqual(body)
  expect(await tenant.operator.delete(`${path}/configuration`)).toMatchObject({ status: 204 })
  expect(await tenant.operator.get(`${path}/configuration`)).toMatchObject({ status: 404 })
  expect(await publish()).toMatchObject({ status: 400 })
  expect((await bytesAt(tenant, `${path}/public/latest`)).status).toBe(200)
})

test('a configuration that no list can have is refused with its field', async () => {
  const { tenant, path } = await newPublisher()
  const entity = entityOf('Entity', await newAuthority())
  const fault = async (body: object, at = path) => {
    const { status, body: problem } = await tenant.operator.put(`${at}/configuration`, body)
    return [status, problem.details?.[0]?.param]
  }
  const body = loteBody([entity])
  expect(await fault({ ...body, schemeOperatorName: undefined })).toEqual([400, 'schemeOperatorName'])
  expect(await fault({ ...body, policyUri: 'ftp://agency.example' })).toEqual([400, 'policyUri'])
  expect(await fault(loteBody([{ ...entity, country: 'Belgium' }]))).toEqual([400, 'entities.0.country'])
  expect(await fault(loteBody([{ ...entity, services: [] }]))).toEqual([400, 'entities.0.services'])
  expect(await fault(loteBody(Array(201).fill(entity)))).toEqual([400, 'entities'])
  const service = { ...entity.services[0], certificates: ['text'] }
  expect(await fault(loteBody([{ ...entity, services: [service] }]))).toEqual([
    ...[400, 'entities.0.services.0.certificates.0'],
  ])
  expect(await fault(body, path.replace('pid-providers', 'other'))).toEqual([400, 'loteType'])
})

const fingerprintOf = (certified: Certified) =>
  new X509Certificate(pemOf(certified)).fingerprint256.replaceAll(':', '').toLowerCase()
