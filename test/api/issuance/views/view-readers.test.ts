import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findReaders, type WalletReader } from '../../../../api/issuance/readers/find-readers.ts'
import { walletFamilies } from '../../../../shared/domain/issuance/wallet-families.ts'
import { newIaca } from '../../../certificates/hierarchy.ts'
import { compactConfiguration, sdJwtConfiguration } from '../../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../../harness/harness.ts'
import { sdJwtClaims } from '../../../harness/issued-sd-jwt.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { PUBLIC_SCHEME: 'https' } })
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface Readers {
  families: WalletReader[]
  views: { id: string; issuer: string; families: WalletReader[] }[]
}

async function readersOf(tenant: TestTenant): Promise<Readers> {
  const { status, body } = await tenant.operator.get('/v1/openid/configuration/readers')
  expect(status).toBe(200)
  return body
}

async function newView(tenant: TestTenant, path: string, extra: object = {}): Promise<string> {
  const view = { name: path, path, profile: 'standard', configurations: { profiles: ['sd-jwt'] }, ...extra }
  const { status, body } = await tenant.operator.post('/v1/views', view)
  expect(status).toBe(201)
  return body.id
}

/** A tenant with a configuration that each family reads, and one that closes the issuer to some. */
async function newTenant() {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
  const sdJwt = await sdJwtConfiguration(tenant, { claimMappings, keyAttestationsRequired: {} })
  return { tenant, sdJwt, compact: await compactConfiguration(tenant) }
}

const familiesThatRead = (readers: WalletReader[]) =>
  readers.filter(({ canRead }) => canRead).map(({ family }) => family)

describe('the readers of a tenant', () => {
  test('say for each view what the checks find in its published metadata', async () => {
    const { tenant, compact } = await newTenant()
    expect((await readersOf(tenant)).views).toEqual([])
    const fine = await newView(tenant, 'fine')
    const closed = await newView(tenant, 'closed', { profile: 'lenient', configurations: { ids: [compact] } })
    const { families, views } = await readersOf(tenant)
    expect(views.map(({ id, issuer }) => [id, issuer])).toEqual([
      [fine, `${tenant.baseUrl}/views/fine`],
      [closed, `${tenant.baseUrl}/views/closed`],
    ])
    for (const [index, path] of ['fine', 'closed'].entries()) {
      const issuerMetadata = (await tenant.anonymous.get(`/.well-known/openid-credential-issuer/views/${path}`)).body
      const serverMetadata = (await tenant.anonymous.get(`/.well-known/oauth-authorization-server/views/${path}`)).body
      const found = JSON.parse(JSON.stringify(findReaders({ issuerMetadata, serverMetadata })))
      expect(views[index]?.families).toEqual(found)
    }
    expect(familiesThatRead(families)).toEqual(['eudi-android', 'credo', 'multipaz', 'inji'])
    expect(familiesThatRead(views[0]?.families ?? [])).toEqual([...walletFamilies])
    expect(familiesThatRead(views[1]?.families ?? [])).toEqual(['credo', 'inji'])
    const ofOther = await newTenant()
    expect((await readersOf(ofOther.tenant)).views).toEqual([])
  })

  test('name the view as what to change, and at most 20 findings of a family in a view', async () => {
    const { tenant } = await newTenant()
    for (let number = 0; number < 20; number++) await compactConfiguration(tenant)
    await newView(tenant, 'closed', { configurations: { profiles: ['compact'] } })
    const { families, views } = await readersOf(tenant)
    const ofIos = (readers: WalletReader[] = []) => readers.find(({ family }) => family === 'eudi-ios')?.findings
    expect([ofIos(families)?.length, ofIos(views[0]?.families)?.length]).toEqual([21, 20])
    expect(ofIos(families)?.[0]?.fix).toContain('a view without this configuration (POST /v1/views)')
  })

  test('are read with the same number of database reads for one view and for twenty', async () => {
    const { tenant } = await newTenant()
    const { db } = service.deps
    const readsOfReaders = async () => {
      let count = 0
      const counting = (base: typeof db): typeof db => ({
        ...base,
        get read() {
          count++
          return base.read
        },
        until: (deadline) => counting(base.until(deadline)),
      })
      service.deps.db = counting(db)
      try {
        // The first answer fills the caches.
        await readersOf(tenant)
        count = 0
        const { views } = await readersOf(tenant)
        return { views: views.length, count }
      } finally {
        service.deps.db = db
      }
    }
    await newView(tenant, 'view-1')
    const ofOne = await readsOfReaders()
    for (let number = 2; number <= 20; number++) await newView(tenant, `view-${number}`)
    const ofTwenty = await readsOfReaders()
    expect(ofOne.count).toBeGreaterThan(0)
    expect([ofOne.views, ofTwenty]).toEqual([1, { views: 20, count: ofOne.count }])
  })
})

describe('a view', () => {
  test('has wallet families of its own, or those of the tenant', async () => {
    const { tenant } = await newTenant()
    const id = await newView(tenant, 'own', { walletFamilies: ['inji', 'credo'] })
    const retrieve = async () => (await tenant.operator.get(`/v1/views/${id}`)).body
    expect(await retrieve()).toMatchObject({ walletFamilies: ['inji', 'credo'] })
    const { issuer: _issuer, createdAt: _createdAt, walletFamilies: _families, ...content } = await retrieve()
    await tenant.operator.put(`/v1/views/${id}`, { ...content, walletFamilies: [] })
    expect(await retrieve()).toMatchObject({ walletFamilies: [] })
    await tenant.operator.put(`/v1/views/${id}`, content)
    expect(await retrieve()).not.toHaveProperty('walletFamilies')
  })

  test('with an unknown wallet family is refused', async () => {
    const { tenant } = await newTenant()
    const view = { name: 'x', path: 'x', profile: 'standard', configurations: { profiles: ['sd-jwt'] } }
    expect(await tenant.operator.post('/v1/views', { ...view, walletFamilies: ['lissi'] })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'walletFamilies.0' }] },
    })
  })

  test('decides which families have a warning at its offers', async () => {
    const { tenant, sdJwt } = await newTenant()
    await tenant.operator.put('/v1/settings', { walletFamilies: ['eudi-ios'] })
    const lenient = { profile: 'lenient' }
    const ofTenant = await newView(tenant, 'of-tenant', lenient)
    const own = await newView(tenant, 'own', { ...lenient, walletFamilies: ['multipaz'] })
    const none = await newView(tenant, 'none', { ...lenient, walletFamilies: [] })
    const warningsAt = async (view?: string) => {
      const offer = { credentials: [sdJwt], ...(view !== undefined && { view }) }
      const shared = await tenant.operator.post('/v1/openid/offers', offer)
      const single = await tenant.operator.post('/v1/openid/offers/pre-authorized', { ...offer, claims: sdJwtClaims })
      expect([shared.status, single.status]).toEqual([200, 200])
      const [messages, ofSingle] = [shared, single].map(({ body }) =>
        (body.warnings ?? [])
          .filter(({ code }: { code?: string }) => code === 'unreadable')
          .map(({ message }: { message: string }) => message),
      )
      expect(ofSingle).toEqual(messages)
      return messages
    }
    expect(await warningsAt()).toEqual([expect.stringMatching(/^EUDI Wallet for iOS cannot read this offer/)])
    expect(await warningsAt(ofTenant)).toEqual([])
    expect(await warningsAt(own)).toEqual([
      expect.stringMatching(
        /^Multipaz cannot read this offer\. .*nonce_endpoint\. .* of the view to standard or haip\./,
      ),
    ])
    expect(await warningsAt(none)).toEqual([])
  })
})
