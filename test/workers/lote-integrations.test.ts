import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDueIntegrations, takeDueIntegrations } from '../../db/repos/ecosystems/due-integrations.ts'
import { findIssuerAnchors } from '../../db/repos/ecosystems/validation.ts'
import { findWalletProviderRoots } from '../../db/repos/issuance/wallet-providers.ts'
import { ecosystemIntegrations } from '../../db/tables/ecosystems/integrations.ts'
import type { IntegrationDeps } from '../../workers/integrations/deps.ts'
import { readIntegratedList } from '../../workers/integrations/read-integrated-list.ts'
import { syncIntegration } from '../../workers/integrations/sync-integration.ts'
import { newEcosystem, newType } from '../api/ecosystems/factories.ts'
import { type Certified, newCertificate, pemOf } from '../certificates/certificates.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startPublisher } from '../servers/foreign-lists.ts'
import { type Json, type LoteChanges, loteOf, newLoteSigner } from '../servers/foreign-lote.ts'

let service: Service
let deps: IntegrationDeps
const signer = await newLoteSigner()
const [pid, mdl] = ['urn:eudi:pid:1', 'org.iso.18013.5.1.mDL']
const newAuthority = () =>
  newCertificate({ name: 'Authority', ca: true, notAfter: new Date(Date.now() + 365 * 24 * 3_600_000) })

beforeAll(async () => {
  service = await startService({ roles: ['signing', 'relay', 'publishing', 'analytics', 'upkeep'] })
  // The workers of the service read lists in threads. Here lists are read in this process.
  deps = { ...service.deps, lists: { run: async (asked) => readIntegratedList(asked) } }
})
afterAll(() => service[Symbol.asyncDispose]())

/** Fetches the lists of a tenant now. */
async function sync({ id }: TestTenant): Promise<void> {
  const at = service.clock.now()
  await deps.db.tx((tx) =>
    tx.update(ecosystemIntegrations).set({ nextSyncAt: null }).where(eq(ecosystemIntegrations.tenantId, id)),
  )
  const due = await findDueIntegrations(deps.db.read, at, { maxAtOnce: 40, maxOfTenant: 9 })
  const own = due.filter(({ tenantId }) => tenantId === id)
  const taken = await deps.db.tx((tx) => takeDueIntegrations(tx, own, at))
  await Promise.all(taken.map((ref) => syncIntegration(deps, ref)))
}

const integrationOf = (url: string, more: object = {}) => ({
  ...{ format: 'etsi-lote', loteType: 'pid-providers', url, trustAnchors: [pemOf(signer.leaf)] },
  ...more,
})

async function newSubscriber(url: string, more: object = {}) {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant, { integrations: [integrationOf(url, more)] })
  const put = (integrations: object[]) => tenant.operator.put(path, { name: 'Ecosystem', integrations })
  const integration = async () => (await tenant.operator.get(path)).body.integrations[0]
  return { tenant, path, put, integration, ecosystemId: path.split('/').at(-1)! }
}

async function isTrusted({ operator }: TestTenant, certified: Certified, type: string, profile = 'mobile') {
  const asked = { profile, identifier: pemOf(certified), type }
  return (await operator.post('/v1/ecosystems/issuer-validation', asked)).body.validated
}

const signed = (authorities: Certified[], changes?: LoteChanges, revokers?: Certified[]) => ({
  body: signer.signLote(loteOf(authorities, changes, revokers)),
})

test('the issuers of a list are trusted for the types of the list, and its revocation certificates for none', async () => {
  const [issuer, revoker] = [await newAuthority(), await newAuthority()]
  await using publisher = await startPublisher(signed([issuer], {}, [revoker]))
  const { tenant, path, integration, ecosystemId } = await newSubscriber(publisher.url)
  await newType(tenant, path, { profile: 'sd-jwt', type: pid })
  await newType(tenant, path, { profile: 'mobile', type: 'eu.europa.ec.eudi.pid.1' })
  await newType(tenant, path, { profile: 'mobile', type: mdl })
  await sync(tenant)
  expect(publisher.asked[0]).toMatchObject({ accept: expect.stringContaining('application/jose') })
  expect(await integration()).toMatchObject({
    ...{ format: 'etsi-lote', loteType: 'pid-providers' },
    integrationResult: { success: true, certificatesCount: 2, changes: { added: 2 } },
  })
  expect(await isTrusted(tenant, issuer, pid, 'sd-jwt')).toBe(true)
  expect(await isTrusted(tenant, issuer, 'eu.europa.ec.eudi.pid.1')).toBe(true)
  expect(await isTrusted(tenant, issuer, mdl)).toBe(false)
  expect(await isTrusted(tenant, revoker, pid, 'sd-jwt')).toBe(false)
  const anchors = await findIssuerAnchors(deps.db.read, tenant.id, { ecosystemId, type: pid, at: service.clock.now() })
  expect(anchors.map((each) => each.trim())).toEqual([pemOf(issuer).trim()])
  const { data } = (await tenant.operator.get(`${path}/integrations/certificates?format=etsi-lote`)).body
  expect(data.map(({ services, docTypes }: Json) => [services, docTypes]).toSorted()).toEqual([
    [['issuance'], ['eu.europa.ec.eudi.pid.1', pid]],
    [['revocation'], []],
  ])
  // Wallets are admitted under lists of wallet providers only.
  expect(await findWalletProviderRoots(deps.db.read, tenant.id)).toEqual([])
})

test('an operator chooses the types of the issuers, and a change of them fetches the list again', async () => {
  const issuer = await newAuthority()
  const headers = { etag: '"one"' }
  await using publisher = await startPublisher({ ...signed([issuer], { type: 'eaa-providers' }), headers })
  const list = { loteType: 'eaa-providers' }
  const { tenant, path, put, integration } = await newSubscriber(publisher.url, list)
  await newType(tenant, path, { profile: 'mobile', type: 'a.type' })
  await sync(tenant)
  expect(await isTrusted(tenant, issuer, 'a.type')).toBe(false)
  await put([integrationOf(publisher.url, { ...list, types: ['a.type'] })])
  await sync(tenant)
  expect(publisher.asked.map((each) => each['if-none-match'])).toEqual([undefined, undefined])
  expect(await isTrusted(tenant, issuer, 'a.type')).toBe(true)
  expect(await integration()).toMatchObject({ types: ['a.type'] })
  // The certificates of another type of list are gone at once.
  await put([integrationOf(publisher.url, { loteType: 'pub-eaa-providers', types: ['a.type'] })])
  expect([await isTrusted(tenant, issuer, 'a.type'), (await integration()).integrationResult]).toEqual([
    false,
    undefined,
  ])
  await sync(tenant)
  expect((await integration()).integrationResult.failReasons[0].type).toBe('WrongType')
})

test('wallets are admitted under the issuance certificates of an enabled list of wallet providers', async () => {
  const [provider, revoker] = [await newAuthority(), await newAuthority()]
  await using publisher = await startPublisher(signed([provider], { type: 'wallet-providers' }, [revoker]))
  const list = { loteType: 'wallet-providers' }
  const { tenant, put } = await newSubscriber(publisher.url, list)
  const roots = async (id: string) => (await findWalletProviderRoots(deps.db.read, id)).map((each) => each.trim())
  await sync(tenant)
  expect(await roots(tenant.id)).toEqual([pemOf(provider).trim()])
  expect(await roots((await service.addTenant()).id)).toEqual([])
  await put([integrationOf(publisher.url, { ...list, enabled: false })])
  expect(await roots(tenant.id)).toEqual([])
})

test('a list that is broken, forged, rolled back or too large changes nothing', async () => {
  const [issuer, other] = [await newAuthority(), await newAuthority()]
  const stranger = await newLoteSigner()
  const date = new Date(Date.now() - 60_000)
  await using publisher = await startPublisher(signed([issuer], { number: 5, date }))
  const { tenant, path, integration } = await newSubscriber(publisher.url)
  await newType(tenant, path, { profile: 'sd-jwt', type: pid })
  await sync(tenant)
  const { lastModifiedAt, changes } = (await integration()).integrationResult
  const forged = stranger.signLote(loteOf([other], { number: 6 }))
  for (const [type, published] of [
    ['FetchFailed', { status: 500 }],
    ['TooLarge', { body: Buffer.alloc(16_000_001) }],
    ['NotAList', { body: Buffer.from('<html>') }],
    ['ChainInvalid', { body: forged }],
    ['SignatureInvalid', { body: signer.signLote(loteOf([other], { number: 6 }), { by: stranger.leaf }) }],
    ['Outdated', signed([other], { number: 4 })],
    ['Outdated', signed([other], { number: 6, date: new Date(date.getTime() - 1) })],
    ['WrongType', signed([other], { number: 6, type: 'mdl-providers' })],
    ['Expired', signed([other], { number: 6, date: new Date(date.getTime() + 1), nextUpdate: new Date() })],
  ] as const) {
    publisher.published = published
    await sync(tenant)
    const { integrationResult: result } = await integration()
    expect(result.failReasons?.[0].type, type).toBe(type)
    expect(result).toMatchObject({ success: false, lastModifiedAt, changes })
    expect([await isTrusted(tenant, issuer, pid, 'sd-jwt'), await isTrusted(tenant, other, pid, 'sd-jwt')]).toEqual([
      true,
      false,
    ])
  }
  publisher.published = signed([other], { number: 6 })
  await sync(tenant)
  expect((await integration()).integrationResult).toMatchObject({ success: true, changes: { added: 1, removed: 1 } })
})

test('an integration has a type of list if and only if its format needs one, and an anchor that can sign', async () => {
  const tenant = await service.addTenant()
  const url = 'https://lists.example.org/pid.json'
  const faultOf = async (more: object) => {
    const body = { name: 'Ecosystem', integrations: [{ ...integrationOf(url), ...more }] }
    const { status, body: problem } = await tenant.operator.post('/v1/ecosystems', body)
    return [status, problem.details?.[0]?.param]
  }
  expect(await faultOf({})).toEqual([201, undefined])
  expect(await faultOf({ loteType: undefined })).toEqual([400, 'integrations.0.loteType'])
  expect(await faultOf({ loteType: 'other' })).toEqual([400, 'integrations.0.loteType'])
  expect(await faultOf({ format: 'VICAL', trustAnchors: [] })).toEqual([400, 'integrations.0.loteType'])
  expect(await faultOf({ loteType: 'wallet-providers', types: ['a'] })).toEqual([400, 'integrations.0.types'])
  expect(await faultOf({ format: 'VICAL', loteType: undefined })).toEqual([400, 'integrations.0.trustAnchors.0'])
  const reader = await newCertificate({ name: 'Encrypter', usage: 16 })
  expect(await faultOf({ trustAnchors: [pemOf(reader)] })).toEqual([400, 'integrations.0.trustAnchors.0'])
})

test('a list of wallet providers is added and changed only by a caller that can add wallet providers', async () => {
  const tenant = await service.addTenant()
  const provider = await tenant.as('dts-provider')
  const url = 'https://lists.example.org/wallets.json'
  const wallets = (more: object = {}) => integrationOf(url, { loteType: 'wallet-providers', ...more })
  const bodyOf = (...integrations: object[]) => ({ name: 'Ecosystem', integrations })
  expect(await provider.post('/v1/ecosystems', bodyOf(wallets()))).toMatchObject({ status: 403 })
  const path = await newEcosystem({ operator: provider }, bodyOf(integrationOf(url)))
  expect(await provider.put(path, bodyOf(wallets()))).toMatchObject({ status: 403 })
  expect(await tenant.operator.put(path, bodyOf(wallets({ enabled: false })))).toMatchObject({ status: 200 })
  expect(await provider.put(path, bodyOf(wallets({ enabled: true })))).toMatchObject({ status: 403 })
  expect(await provider.put(path, bodyOf(wallets({ enabled: false, trustAnchors: [] })))).toMatchObject({ status: 403 })
  const other = integrationOf('https://lists.example.org/pid.json')
  expect(await provider.put(path, bodyOf(wallets({ enabled: false }), other))).toMatchObject({ status: 200 })
  expect(await provider.put(path, bodyOf(other))).toMatchObject({ status: 200 })
})
