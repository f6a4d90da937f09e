import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tenantsCache } from '../../../api/access/tenant.ts'
import { tenants } from '../../../db/tables/tenancy/tenants.ts'
import { idOfReference } from '../../../shared/domain/issuance/short-references.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { readQr } from '../../harness/qr.ts'
import { withOtherEnd } from '../../harness/with-other-end.ts'
import { newWallet, preAuthorizedGrant } from '../../wallets/wallet.ts'

let service: Service
let configurationId: string

beforeAll(async () => {
  service = await startService()
  configurationId = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const pathOf = (page: string) => new URL(page).pathname
const open = (page: string, headers?: Record<string, string>, tenant = service) =>
  tenant.anonymous.get(pathOf(page), headers)
const stateOf = async (page: string) => {
  const { status, body } = await service.anonymous.get(`${pathOf(page)}/state`)
  return status === 200 ? body.state : status
}
/** The value of an attribute, as a browser reads it. */
const attribute = (html: string, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1]?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
const linkOf = (html: string) => attribute(html.slice(html.indexOf('<a class="action')), 'href')
const sharedOffer = async (extra: Record<string, unknown> = {}) =>
  (await service.operator.post('/v1/openid/offers', { credentials: [configurationId], ...extra })).body
const preAuthorizedCode = (uri: string) =>
  JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '').grants[preAuthorizedGrant]['pre-authorized_code']
const redeem = (uri: string, transactionCode?: string) =>
  service.anonymous.post(
    '/v1/oauth/token',
    new URLSearchParams({
      grant_type: preAuthorizedGrant,
      'pre-authorized_code': preAuthorizedCode(uri),
      ...(transactionCode && { tx_code: transactionCode }),
    }),
  )

describe('the page of an offer', () => {
  test.each([
    ['contains the offer', {}],
    ['is requested as a reference', { by: 'reference' }],
    ['contains a %', { transactionCodeConfiguration: { description: '100 %' } }],
  ])('links to the URI of the response if that URI %s', async (_what, extra) => {
    const { uri, page } = await newOffer(service, [configurationId], extra)
    expect(linkOf((await open(page)).body)).toBe(uri)
    const shared = await sharedOffer({ by: 'by' in extra ? extra.by : 'value' })
    expect(linkOf((await open(shared.page)).body)).toBe(shared.uri)
  })

  test('does not show the id of a credential without a name', async () => {
    const unnamed = await compactConfiguration(service, { type: undefined })
    const { page } = await newOffer(service, [unnamed])
    const { body } = await open(page)
    expect(body).not.toContain(`>${unnamed}<`)
    expect(body).not.toMatch(/<ul|and others/)
  })

  test('has the offer as the wallet reads it, and no transaction code', async () => {
    const description = 'By letter'
    const { page, uri, transactionCode } = await newOffer(service, [configurationId], {
      transactionCodeConfiguration: { description },
    })
    const { body } = await open(page)
    expect(JSON.parse(attribute(body, 'data-offer') ?? '')).toEqual(
      JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? ''),
    )
    expect(body).toContain(`<q>${description}</q>`)
    expect(body).not.toContain(transactionCode)
  })

  test('is not cached or indexed, loads nothing from other hosts, and runs only its own script', async () => {
    const { page } = await newOffer(service, [configurationId])
    const { status, headers, body } = await open(page)
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Language',
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; script-src 'self'; connect-src /,
    )
    expect(policy).not.toContain('unsafe')
    const { body: script, headers: ofScript } = await service.anonymous.get(attribute(body, 'src') ?? '')
    expect(ofScript['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(gzipSync(script).length).toBeLessThanOrEqual(3_000)
    expect(body).not.toMatch(/<script(?! src)| on\w+=| style=|https?:\/\/(?!www\.w3\.org)(?!127\.0\.0\.1)/)
    expect(await service.anonymous.get('/o/assets/page.0.js')).toMatchObject({ status: 404 })
  })

  test('also answers HEAD requests', async () => {
    const { page } = await newOffer(service, [configurationId])
    expect(await service.anonymous.send('HEAD', pathOf(page))).toMatchObject({ status: 200, body: undefined })
  })

  test('is found by its address only, not by the id in events, nor at another tenant', async () => {
    const other = await service.addTenant()
    const { id, page } = await newOffer(service, [configurationId])
    const shared = await sharedOffer()
    const address = pathOf(page)
    const wrong = [`/o/${id}`, `/o/${id}.`, `${address}x`, withOtherEnd(address)]
    const ofOther = `${pathOf(shared.page).slice(0, -22)}${address.slice(-22)}`
    for (const path of [...wrong, ofOther, '/o/x', '/o/%00', `/o/${'x'.repeat(300)}`]) {
      const { status, body } = await service.anonymous.get(path)
      expect([400, 404]).toContain(status)
      expect(JSON.stringify(body)).not.toContain('openid-credential-offer')
      expect([400, 404]).toContain((await service.anonymous.get(`${path}/state`)).status)
    }
    for (const { page } of [await newOffer(service, [configurationId]), shared]) {
      expect(await open(page, {}, other as Service)).toMatchObject({
        status: 404,
        body: expect.stringContaining('<h1>This link is no longer valid</h1>'),
      })
    }
  })

  test('has the address of the list of offers, and keeps the address that it got under an earlier secret', async () => {
    const tenant = await service.addTenant()
    const { page } = await newOffer(tenant, [await compactConfiguration(tenant)])
    const { body } = await tenant.operator.get('/v1/openid/offers')
    expect(body.data.map((offer: { page: string }) => offer.page)).toEqual([page])
    const { secrets } = service.deps
    const others = createSecrets([Buffer.alloc(32, 1)])
    service.deps.secrets = { ...secrets, ofTenant: () => others }
    const listed = (await tenant.operator.get('/v1/openid/offers')).body.data[0].page
    expect(listed).not.toBe(page)
    for (const address of [page, listed]) {
      expect(await open(address, {}, tenant as Service)).toMatchObject({ status: 200 })
    }
    service.deps.secrets = secrets
    expect(await open(listed, {}, tenant as Service)).toMatchObject({ status: 404 })
  })

  test('has a rate limit by address, with an error page', async () => {
    // The first of the two requests is that of the operator for its token.
    const tenant = await service.addTenant({ limits: { anonymousPerMinute: 2 } })
    const { page } = await newOffer(tenant, [await compactConfiguration(tenant)])
    expect(await open(page, {}, tenant as Service)).toMatchObject({ status: 200 })
    expect(await open(page, {}, tenant as Service)).toMatchObject({
      status: 429,
      body: expect.stringContaining('<h1>Too many requests at once</h1>'),
    })
  })

  test('is in the language of the reader, with the texts of the operator in that language', async () => {
    const display = [
      { name: 'Licence', locale: 'en' },
      { name: 'Ausweis', locale: 'de-AT' },
    ]
    const tenant = await service.addTenant({
      name: 'Office',
      branding: { names: [{ name: 'Amt', locale: 'de' }] },
    })
    const { page } = await newOffer(tenant, [await compactConfiguration(tenant, { display })])
    const { body } = await open(page, { 'accept-language': 'de-AT,de;q=0.9' }, tenant as Service)
    expect(body).toContain('<html lang="de">')
    for (const text of ['Ein Nachweis für Sie', '>Amt<', 'lang="de-AT"><div>Ausweis<', 'Verbleibende Zeit']) {
      expect(body).toContain(text)
    }
    const english = await open(page, {}, tenant as Service)
    for (const text of ['A credential for you', '>Office<', 'lang="en"><div>Licence<'])
      expect(english.body).toContain(text)
  })

  test('recommends the wallet apps of the tenant, and without them the issuer', async () => {
    const walletLinks = [{ name: 'First & best', url: 'https://wallet.example/a' }]
    const tenant = await service.addTenant({ branding: { walletLinks } })
    const { page } = await newOffer(tenant, [await compactConfiguration(tenant)])
    const { body } = await open(page, {}, tenant as Service)
    expect(body).toContain('<li><a href="https://wallet.example/a" rel="noreferrer">First &#38; best</a></li>')
    expect((await open((await newOffer(service, [configurationId])).page)).body).toContain(
      'Please ask the issuer which app',
    )
    const put = (links: unknown) =>
      service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, { branding: { walletLinks: links } })
    for (const url of [
      'http://wallet.example',
      'javascript:alert(1)',
      'wallet.example',
      'openid-credential-offer://',
    ]) {
      expect(await put([{ name: 'One', url }])).toMatchObject({ status: 400 })
    }
    expect(await put(Array(11).fill(walletLinks[0]))).toMatchObject({ status: 400 })
    expect(await put(Array(10).fill(walletLinks[0]))).toMatchObject({ status: 200 })
  })

  test('opens the offer in each wallet of the tenant with an address for offers', async () => {
    const [url, name] = ['https://wallet.example/get', 'Campus & co']
    const walletLinks = [
      { name, url, offerUrl: 'https://wallet.example/offer?lang=en' },
      { name: 'Assured', url, offerUrl: 'haip-vci://' },
      { name: 'Other', url },
    ]
    const tenant = await service.addTenant({ branding: { walletLinks } })
    const { page, uri } = await newOffer(tenant, [await compactConfiguration(tenant)])
    const { body } = await open(page, { 'accept-language': 'de' }, tenant as Service)
    const query = uri.slice(uri.indexOf('?') + 1)
    const action = (address: string, text: string) =>
      `<a class="action second screen" href="${address}" rel="noreferrer">${text}</a>`
    expect(body).toContain(action(`https://wallet.example/offer?lang=en&#38;${query}`, 'Mit Campus &#38; co öffnen'))
    expect(body).toContain(action(`haip-vci://?${query}`, 'Mit Assured öffnen'))
    expect(body).not.toContain('Mit Other öffnen')
    const put = (offerUrl: string) =>
      service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, {
        branding: { walletLinks: [{ name, url, offerUrl }] },
      })
    const refused = [
      'http://wallet.example',
      'javascript://%0aalert(1)',
      'DATA://x',
      'haip-vci:',
      'file:///x',
      'a://#b',
    ]
    for (const offerUrl of [...refused, 'https://wallet.example/#offer'])
      expect([offerUrl, await put(offerUrl)]).toMatchObject([offerUrl, { status: 400 }])
  })

  test('escapes the texts of operators, and accepts only colours as colours', async () => {
    const evil = `<script>alert(1)</script>"><img src=https://evil.example/x>`
    const tenant = await service.addTenant({ name: evil, branding: { accentColor: '#abcdef' } })
    const display = [{ name: evil, description: evil, backgroundColor: '#ffffff', textColor: '#fffffe' }]
    const { page } = await newOffer(tenant, [await compactConfiguration(tenant, { display })], {
      transactionCodeConfiguration: { description: evil },
    })
    await service.deps.db.tx(async (tx) => {
      const [row] = await tx.select().from(tenants).where(eq(tenants.id, tenant.id))
      const accentColor = 'red}*{background:url(https://evil.example)'
      const settings = { ...row!.settings, branding: { accentColor } }
      await tx.update(tenants).set({ settings }).where(eq(tenants.id, tenant.id))
    })
    service.deps.caches.of(tenantsCache).clear()
    const { body } = await open(page, {}, tenant as Service)
    expect(body.match(/<script|<img|url\(/g)).toEqual(['<script'])
    // White text on a white background is unreadable.
    expect(body).toContain('.card-0{background:#ffffff;color:#000000}')
  })

  test('of many credentials shows some names and the number of the others', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `Number ${at}`)
    const ids = await Promise.all(names.map((name) => compactConfiguration(service, { display: [{ name }] })))
    const { page } = await newOffer(service, ids)
    const { body } = await open(page)
    expect(body.match(/>Number \d</g)).toHaveLength(5)
    expect(body).toContain('<p>and 1 more credential</p>')
  })
})

describe('the state of an offer', () => {
  /** Expects a page without the offer, its QR code and its end. */
  async function expectEnded(page: string, title: string) {
    const { status, body } = await open(page)
    expect(status).toBe(200)
    expect(body).not.toMatch(/openid-credential-offer|data-offer|<svg|<time/)
    expect(body).toMatch(new RegExp(`<div data-when="\\w+"><h2>${title}</h2>`))
  }

  test('changes from offered to opened to collected', async () => {
    const { uri, page } = await newOffer(service, [configurationId])
    expect(await stateOf(page)).toBe('offered')
    const wallet = await newWallet(service, service.origin, uri)
    expect(await wallet.redeem()).toMatchObject({ status: 200 })
    expect(await stateOf(page)).toBe('opened')
    await expectEnded(page, 'The offer is open in a wallet')
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
    expect(await stateOf(page)).toBe('collected')
    await expectEnded(page, 'Done')
  })

  test('is expired after its end by the clock of the service', async () => {
    const { page } = await newOffer(service, [configurationId], { expiresIn: { seconds: 60 } })
    expect((await open(page)).body).toMatch(/data-left="(60000|[1-5]\d{4})"/)
    service.clock.advance(61_000)
    expect(await stateOf(page)).toBe('expired')
    await expectEnded(page, 'This offer has expired')
  })

  test('is used up after too many wrong transaction codes', async () => {
    const { uri, page, transactionCode } = await newOffer(service, [configurationId], {
      transactionCodeConfiguration: {},
    })
    const wrong = transactionCode === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 3; tries++) expect(await redeem(uri, wrong)).toMatchObject({ status: 400 })
    expect(await stateOf(page)).toBe('usedUp')
    await expectEnded(page, 'This offer has ended')
  })

  test('is not found after the offer was deleted', async () => {
    for (const { page } of [await newOffer(service, [configurationId]), await sharedOffer()]) {
      const id = idOfReference(pathOf(page).slice(3))
      expect(await service.operator.delete(`/v1/openid/offers/${id}`)).toMatchObject({ status: 204 })
      expect(await stateOf(page)).toBe(404)
      expect(await open(page)).toMatchObject({ status: 404 })
      expect(await service.operator.get(`/v1/openid/offers/${id}/qr`)).toMatchObject({ status: 404 })
    }
  })

  test('stays offered for a shared offer, which has no end', async () => {
    const { page } = await sharedOffer()
    service.clock.advance(365 * 86_400_000)
    expect(await stateOf(page)).toBe('offered')
    const { body } = await open(page)
    expect(body).toContain('Your wallet will then ask you to sign in.')
    expect(body).not.toMatch(/<time|Time left/)
    service.clock.advance(-365 * 86_400_000)
  })
})

describe('the QR code of an offer', () => {
  const read = async (id: string, accept: string, query = '') => {
    const response = await fetch(`${service.origin}/v1/openid/offers/${id}/qr${query}`, {
      headers: { accept, authorization: `Bearer ${await tokenOf(service)}`, host: service.host },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, type: response.headers.get('content-type'), bytes }
  }
  let token: string | undefined
  async function tokenOf(tenant: Service): Promise<string> {
    const { clientId: client_id, clientSecret: client_secret } = tenant
    const body = { client_id, client_secret, grant_type: 'client_credentials' }
    token ??= (await tenant.anonymous.post('/oauth/token', body)).body.access_token as string
    return token
  }

  test.each([
    ['an offer by value', {}],
    ['an offer by reference', { by: 'reference' }],
  ])('is a PNG image that contains the URI of %s', async (_what, extra) => {
    const { id, uri } = await newOffer(service, [configurationId], extra)
    const png = await read(id, 'image/png')
    expect(png).toMatchObject({ status: 200, type: 'image/png' })
    expect(readQr(png.bytes)).toBe(uri)
  })

  test('has the address of the page for the camera of a phone, in a smaller code that ends with the offer', async () => {
    const { id, uri, page } = await newOffer(service, [configurationId], { expiresIn: { seconds: 30 } })
    const [ofOffer, ofPage] = [await read(id, 'image/png'), await read(id, 'image/png', '?content=page')]
    expect([readQr(ofOffer.bytes), readQr(ofPage.bytes)]).toEqual([uri, page])
    const widthOf = ({ bytes }: typeof ofPage) => Buffer.from(bytes).readUInt32BE(16)
    expect(widthOf(ofPage)).toBeLessThan(0.7 * widthOf(ofOffer))
    expect(linkOf((await open(page)).body)).toBe(uri)
    const path = `/v1/openid/offers/${id}/qr?content=`
    expect(await service.operator.get(`${path}code`)).toMatchObject({ status: 400 })
    service.clock.advance(31_000)
    expect(await service.operator.get(`${path}page`)).toMatchObject({ status: 410 })
    expect((await open(page)).body).not.toContain('pre-authorized_code')
    service.clock.advance(-31_000)
  })

  test('is an SVG image by default', async () => {
    const { uri } = await sharedOffer()
    const id = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '').grants.authorization_code
      .issuer_state
    const { status, type, bytes } = await read(id, '*/*')
    expect({ status, type }).toEqual({ status: 200, type: 'image/svg+xml' })
    expect(Buffer.from(bytes).toString()).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/,
    )
  })

  test('has a reference to an offer whose text is too long for a QR code', async () => {
    const ids = await Promise.all(Array.from({ length: 16 }, () => compactConfiguration(service)))
    const { id, uri, page } = await newOffer(service, ids)
    expect(uri.length).toBeGreaterThan(1_700)
    const content = readQr((await read(id, 'image/png')).bytes) ?? ''
    const address = new URL(content).searchParams.get('credential_offer_uri') ?? ''
    const { body } = await service.anonymous.get(pathOf(address))
    expect(body).toEqual(JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? ''))
    expect(linkOf((await open(page)).body)).toBe(uri)
  })

  test('exists for a usable offer of the tenant only', async () => {
    const other = await service.addTenant()
    const { id } = await newOffer(service, [configurationId], { expiresIn: { seconds: 30 } })
    expect(await other.operator.get(`/v1/openid/offers/${id}/qr`)).toMatchObject({ status: 404 })
    service.clock.advance(31_000)
    expect(await service.operator.get(`/v1/openid/offers/${id}/qr`)).toMatchObject({ status: 410 })
  })
})
