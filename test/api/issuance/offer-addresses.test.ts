import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { claimLinks } from '../../../db/tables/issuance/claim-links.ts'
import { hashSecret } from '../../../shared/ids.ts'
import { newClaimLink } from '../../harness/claim-links.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: SharedService
let tenant: TestTenant
let configurationId: string

beforeAll(async () => {
  service = await joinService()
  tenant = await service.addTenant()
  configurationId = await compactConfiguration(tenant)
})

/** The number of modules of a QR code with its quiet zone. */
const sizeOf = (svg: string) => Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])

test('addresses of claim links and offers are short, so that their QR codes are small', async () => {
  const link = await newClaimLink(service, tenant, [configurationId])
  const { id, page, uri } = await newOffer(tenant, [configurationId], { by: 'reference' })
  const reference = new URL(uri).searchParams.get('credential_offer_uri') ?? ''
  for (const address of [link.address, page, reference]) expect(address).toMatch(/\/[\w-]{44}$/)
  expect(reference.split('/').at(-1)).toBe(page.split('/').at(-1))
  const { body } = await tenant.operator.get(`/v1/openid/offers/${id}/qr?content=page`, { Accept: 'image/svg+xml' })
  // Version 5 at most: 37 modules, and 4 on each side.
  expect(sizeOf(String(body))).toBeLessThanOrEqual(37 + 2 * 4)
})

test('the longer addresses that versions until 0.1.0 made open the same link and the same offer', async () => {
  const { secrets, db } = service.deps
  const { id } = await newClaimLink(service, tenant, [configurationId])
  const reference = `${id}.${secrets.mac('claim link address', `${id} 0`)}`
  const old = { secretHash: hashSecret(reference) }
  await db.tx((tx) => tx.update(claimLinks).set(old).where(eq(claimLinks.id, id)))
  expect(await tenant.anonymous.get(`/l/${reference}/state`)).toMatchObject({ status: 200, body: { state: 'ready' } })
  expect(await tenant.anonymous.get(`/l/${reference.slice(0, -1)}/state`)).toMatchObject({ status: 404 })

  const offer = await newOffer(tenant, [configurationId])
  const address = `${offer.id}.${secrets.mac('offer address', offer.id)}`
  for (const path of [`/o/${address}`, `/v1/openid/offers/${address}`])
    expect(await tenant.anonymous.get(path)).toMatchObject({ status: 200 })
})

const appOf = (uri: string) => uri.slice(0, uri.indexOf('credential_offer'))

test('offers of a tenant with an `offerUrl` begin with it: in answers, on the page and in QR codes', async () => {
  const other = await service.addTenant()
  const configuration = await compactConfiguration(other)
  const before = await newOffer(other, [configuration])
  for (const [offerUrl, begin] of [
    ['haip-vci://', 'haip-vci://?'],
    ['https://wallet.example/offer?lang=en', 'https://wallet.example/offer?lang=en&'],
  ] as const) {
    const put = await other.operator.put('/v1/settings', { branding: { offerUrl } })
    expect(put).toMatchObject({ status: 200, body: { branding: { offerUrl } } })
    const offer = await newOffer(other, [configuration])
    const byReference = await newOffer(other, [configuration], { by: 'reference' })
    const shared = await other.operator.post('/v1/openid/offers', { credentials: [configuration] })
    const details = await other.operator.get(`/v1/openid/offers/${before.id}/details`)
    const uris = [offer.uri, byReference.uri, shared.body.uri, details.body.uri, details.body.qr]
    expect(uris.map(appOf)).toEqual(uris.map(() => begin))
    expect(new URL(byReference.uri).searchParams.get('credential_offer_uri')).toMatch(/\/v1\/openid\/offers\//)
    const { body: page } = await other.anonymous.get(new URL(offer.page).pathname)
    expect(page).toContain(`<a class="action screen" href="${offer.uri.replaceAll('&', '&#38;')}"`)
    const wallet = await newWallet(other, service.origin, offer.uri)
    expect(await wallet.collect()).toMatchObject({ status: 200 })
  }
  expect(appOf(before.uri)).toBe('openid-credential-offer://?')
  for (const offerUrl of ['http://wallet.example', 'javascript://%0aalert(1)', 'haip-vci:', 'a://#b'])
    expect(await other.operator.put('/v1/settings', { branding: { offerUrl } })).toMatchObject({
      status: 400,
      body: { details: [{ param: 'branding.offerUrl' }] },
    })
})
