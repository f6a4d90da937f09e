import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenantsCache } from '../../../api/access/tenant.ts'
import { type Branding, tenants } from '../../../db/tables/tenancy/tenants.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { type Receiver, type ReceiverAnswer, startReceiver } from '../../servers/receiver.ts'

let service: Service
let receiver: Receiver
let tenant: TestTenant

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const answers: Record<string, ReceiverAnswer> = {
  '/logo.png': { headers: { 'content-type': 'text/html' }, body: png },
  '/logo.svg': { headers: { 'content-type': 'image/svg+xml; charset=utf-8' }, body: drawing },
  '/moved': { status: 302, headers: { location: '/logo.png' } },
  '/page': { headers: { 'content-type': 'text/html' }, body: drawing },
  '/missing': { status: 404, headers: { 'content-type': 'image/png' }, body: png },
  '/large': { body: Buffer.concat([png, Buffer.alloc(400_000)]) },
}

beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver(({ path }) => answers[path] ?? { status: 500 })
  tenant = await service.addTenant()
})
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Stores the branding in the database: operators may set https URLs only, and the test has no https server. */
async function brand(branding: Branding): Promise<void> {
  await service.deps.db.tx(async (tx) => {
    const [row] = await tx.select().from(tenants).where(eq(tenants.id, tenant.id))
    await tx
      .update(tenants)
      .set({ settings: { ...row!.settings, branding } })
      .where(eq(tenants.id, tenant.id))
  })
  service.deps.caches.of(tenantsCache).clear()
}

const urlOf = (path: string) => new URL(path, receiver.url).href
const imageOf = (html: string) => /<img src="(\/o\/logos\/[^"]+)"/.exec(html)?.[1] ?? ''

/** The address of the logo on a page of the tenant. */
async function logoAt(path: string): Promise<string> {
  await brand({ logoUrl: urlOf(path) })
  return imageOf((await tenant.anonymous.get('/v1/oauth/authentication/callback?state=x')).body)
}

test('logos are served by this host with their media type, and are fetched once for all readers', async () => {
  const address = await logoAt('/logo.png')
  const { page } = await newOffer(tenant, [await compactConfiguration(tenant)])
  expect(imageOf((await tenant.anonymous.get(new URL(page).pathname)).body)).toBe(address)
  const logos = await Promise.all(Array.from({ length: 5 }, () => tenant.anonymous.get(address)))
  for (const { status, headers } of logos) {
    expect({ status, type: headers['content-type'], kept: headers['cache-control'] }).toEqual({
      ...{ status: 200, type: 'image/png', kept: 'public, max-age=3600' },
    })
  }
  expect(receiver.deliveries.map(({ path }) => path)).toEqual(['/logo.png'])
  expect(await tenant.anonymous.get(await logoAt('/moved'))).toMatchObject({ status: 200 })
})

test('the address of a logo works at the host of its own tenant only', async () => {
  const address = await logoAt('/logo.png')
  const { anonymous } = await service.addTenant()
  expect(await tenant.anonymous.get(address)).toMatchObject({ status: 200 })
  expect(await anonymous.get(address)).toMatchObject({ status: 404 })
  expect(await service.anonymous.get(address)).toMatchObject({ status: 404 })
})

test('the card of a credential shows the logo of its configuration', async () => {
  const display = [{ name: 'Licence', logoUrl: 'https://logos.example/licence.png' }]
  const { page } = await newOffer(tenant, [await compactConfiguration(tenant, { display })])
  const { body } = await tenant.anonymous.get(new URL(page).pathname)
  expect(body).toMatch(
    /<li class="card card-0"><img src="\/o\/logos\/[^"]+" alt="" width="40" height="40"><div>Licence/,
  )
  expect(body).not.toContain('logos.example')
})

test('an operator can read the address of a logo before a page shows it', async () => {
  await brand({ logoUrl: 'https://logos.example/licence.png' })
  const address = imageOf((await tenant.anonymous.get('/v1/oauth/authentication/callback?state=x')).body)
  const addressFor = (url: string) => tenant.operator.get(`/v2/credentials/logos?url=${encodeURIComponent(url)}`)
  expect(await addressFor('https://logos.example/licence.png')).toMatchObject({ status: 200, body: { address } })
  expect(await addressFor('http://logos.example/licence.png')).toMatchObject({
    ...{ status: 400, body: { details: [{ param: 'url', location: 'query' }] } },
  })
})

test('an SVG logo that is opened as a page runs no script', async () => {
  const { status, headers, body } = await tenant.anonymous.get(await logoAt('/logo.svg'))
  expect({ status, type: headers['content-type'], body }).toEqual({
    ...{ status: 200, type: 'image/svg+xml', body: drawing },
  })
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  })
})

test.each(['/page', '/missing', '/large', '/nothing'])(
  'a response that is not an image is not served as a logo: %s',
  async (path) => {
    const address = await logoAt(path)
    expect(await tenant.anonymous.get(address)).toMatchObject({ status: 404 })
  },
)

test('only URLs that an operator configured are fetched', async () => {
  const address = await logoAt('/logo.png')
  const before = receiver.deliveries.length
  const [mac = ''] = address.slice('/o/logos/'.length).split('.')
  const elsewhere = Buffer.from(urlOf('/logo.svg')).toString('base64url')
  for (const key of [`${mac}.${elsewhere}`, `.${elsewhere}`, elsewhere, mac, `${'A'.repeat(43)}.${elsewhere}`]) {
    expect(await tenant.anonymous.get(`/o/logos/${key}`)).toMatchObject({ status: 404 })
  }
  expect(receiver.deliveries).toHaveLength(before)
})
