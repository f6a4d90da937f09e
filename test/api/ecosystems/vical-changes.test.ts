import { X509Certificate } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readListsCache } from '../../../api/ecosystems/trusted-lists/content.ts'
import { listReader } from '../../../api/ecosystems/trusted-lists/list-reader.ts'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { newEcosystem, newListed, newParticipant, newType } from './factories.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const mdl = 'org.iso.18013.5.1.mDL'
const photo = 'org.iso.23220.photoid.1'

/** An ecosystem with an issuer of two types that publishes VICALs. */
async function newPublisher() {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  await newEcosystemCa(tenant)
  const vicals = `${path}/vicals`
  await tenant.operator.put(`${vicals}/configuration`, { vicalProvider: 'Aotearoa' })
  const participant = await newParticipant(tenant, path, { isIssuer: true })
  for (const type of [mdl, photo]) {
    const credentialId = await newType(tenant, path, { profile: 'mobile', type })
    await tenant.operator.post(`${participant}/issuer/credentials`, { credentialId })
  }
  const certificates = `${participant}/issuer-certificates`
  const add = async (name: string, docTypes: string[]) => {
    const certificatePem = pemOf(await newCertificate({ name, ca: true }))
    const { body } = await tenant.operator.post(certificates, { certificatePem, docTypes })
    const { validFromDate, validToDate } = new X509Certificate(certificatePem)
    const entry = {
      certificateFingerprint: body.certificateFingerprint,
      ski: expect.stringMatching(/^[0-9a-f]{40}$/),
      issuer: `CN=${name}`,
      subject: `CN=${name}`,
      docTypes,
      notBefore: validFromDate.toISOString(),
      notAfter: validToDate.toISOString(),
    }
    return { at: `${certificates}/${body.id}`, shown: entry }
  }
  const publish = () => tenant.operator.post(vicals)
  const changes = (number: number, since: number | string) =>
    tenant.anonymous.get(`${vicals}/public/${number}/changes?since=${since}`)
  return { tenant, path, vicals, publish, add, changes }
}

test('the changes between two VICALs contain added and removed certificates and changed types', async () => {
  const { tenant, publish, add, changes } = await newPublisher()
  const [stays, goes, sleeps, turns] = [
    await add('Stays', [mdl, photo]),
    await add('Goes', [photo]),
    await add('Sleeps', [mdl]),
    await add('Turns', [mdl]),
  ]
  await publish()
  await tenant.operator.delete(goes.at)
  await tenant.operator.put(sleeps.at, { active: false })
  await tenant.operator.put(turns.at, { docTypes: [photo, mdl] })
  await tenant.operator.put(stays.at, { docTypes: [photo, mdl] })
  await publish()
  const comes = await add('Comes', [mdl, photo])
  await publish()

  const changed = [{ ...turns.shown, docTypes: expect.toSatisfy((all) => all.length === 2), formerDocTypes: [mdl] }]
  const { status, body } = await changes(3, 1)
  expect(status).toBe(200)
  expect(body).toStrictEqual({ added: [comes.shown], removed: [goes.shown, sleeps.shown], changed })
  expect((await changes(2, 1)).body).toStrictEqual({ added: [], removed: [goes.shown, sleeps.shown], changed })
  expect((await changes(3, 2)).body).toStrictEqual({ added: [comes.shown], removed: [], changed: [] })
  expect((await changes(3, 3)).body).toStrictEqual({ added: [], removed: [], changed: [] })
})

test('changes can be cached and compressed', async () => {
  const { tenant, vicals, publish, add, changes } = await newPublisher()
  await publish()
  await add('New', [mdl])
  await publish()
  const { headers, body } = await changes(2, 1)
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('application/json'),
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
    etag: expect.any(String),
  })
  const path = `${vicals}/public/2/changes?since=1`
  expect(await tenant.anonymous.get(path, { 'if-none-match': String(headers.etag) })).toMatchObject({ status: 304 })
  const options = { headers: { host: tenant.host, 'accept-encoding': 'gzip' } }
  const answer = await request(service.origin + path, options)
  expect(answer.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(await answer.body.arrayBuffer()).toString())).toEqual(body)
})

test('the certificates of each VICAL and RICAL and the changes of RICALs are public', async () => {
  const { tenant, path, vicals, publish, add } = await newPublisher()
  const [first, second] = [await add('First', [mdl]), await add('Second', [photo, mdl])]
  await publish()
  const of = (list: string, number: number | string, rest = 'certificates') =>
    tenant.anonymous.get(`${list}/public/${number}/${rest}`)
  const types = { docTypes: expect.toSatisfy((all) => all.length === 2) }
  expect(await of(vicals, 1)).toMatchObject({
    status: 200,
    body: { data: [first.shown, { ...second.shown, ...types }] },
  })
  expect(await of(vicals, 2)).toMatchObject({ status: 404, body: { details: [{ param: 'vicalIssueId' }] } })
  expect(await of(vicals, 'latest')).toMatchObject({ status: 400 })

  const ricals = `${path}/ricals`
  await tenant.operator.put(`${ricals}/configuration`, { ricalProvider: 'Aotearoa' })
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.example.bar' })
  for (const name of ['Bar', 'Shop']) {
    await newListed(tenant, path, 'verifier', { credentialId, holds: [await newCertificate({ name, ca: true })] })
    expect(await tenant.operator.post(ricals)).toMatchObject({ status: 201 })
  }
  const [bar, shop] = ['CN=Bar', 'CN=Shop'].map((subject) => ({ subject, docTypes: [] }))
  expect((await of(ricals, 2)).body).toMatchObject({ data: [bar, shop] })
  expect((await of(ricals, 2, 'changes?since=1')).body).toMatchObject({ added: [shop], removed: [], changed: [] })
  await tenant.operator.delete(`${ricals}/2`)
  expect(await of(ricals, 2)).toMatchObject({ status: 404, body: { details: [{ param: 'ricalIssueId' }] } })
})

test('unknown or later numbers are refused with the name of the parameter', async () => {
  const { tenant, vicals, publish, changes } = await newPublisher()
  const other = await newPublisher()
  for (let at = 0; at < 3; at++) await publish()
  await other.publish()
  const refused = (status: number, param: string, location: string) => ({
    status,
    body: { details: [{ param, location }] },
  })
  expect(await changes(2, 3)).toMatchObject(refused(400, 'since', 'query'))
  for (const since of ['0', 'latest', '', '1&since=2']) {
    expect(await changes(2, since)).toMatchObject(refused(400, 'since', 'query'))
  }
  expect(await tenant.anonymous.get(`${vicals}/public/2/changes`)).toMatchObject(refused(400, 'since', 'query'))
  expect(await changes(4, 1)).toMatchObject(refused(404, 'vicalIssueId', 'params'))
  expect(await other.tenant.anonymous.get(`${vicals}/public/2/changes?since=1`)).toMatchObject({ status: 404 })

  expect(await changes(3, 1)).toMatchObject({ status: 200 })
  await tenant.operator.delete(`${vicals}/1`)
  expect(await changes(3, 1)).toMatchObject(refused(404, 'since', 'query'))
  expect(await changes(3, 2)).toMatchObject({ status: 200 })
  await tenant.operator.delete(`${vicals}/3`)
  expect(await changes(3, 2)).toMatchObject(refused(404, 'vicalIssueId', 'params'))
})

test('the web process reads lists on another thread, once for concurrent requests', async () => {
  const { tenant, publish, changes } = await newPublisher()
  await publish()
  await publish()
  const { services, caches } = service.deps
  const threads = services.of(listReader)
  const { runRead } = threads
  const tenants: string[] = []
  threads.runRead = (read, caller) => {
    tenants.push(caller.tenantId)
    return runRead(read, caller)
  }
  const answers = await Promise.all([changes(2, 1), changes(2, 1), changes(2, 1)])
  threads.runRead = runRead
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(tenants).toEqual([tenant.id])
  expect(caches.of(readListsCache).size).toBeGreaterThan(0)
})
