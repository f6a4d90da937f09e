import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
let tenant: TestTenant
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
  tenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/settings/logos'
const pngOf = (content: string, size = 100) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(size), Buffer.from(content)])
const upload = async (bytes: Buffer) => tenant.operator.post(path, { content: bytes.toString('base64') })
const pathOf = (url: string) => new URL(url).pathname

test('an uploaded logo has a public address of this host, for wallets, for pages and for the console', async () => {
  const bytes = pngOf('logo')
  const made = await upload(bytes)
  expect(made).toMatchObject({
    status: 201,
    body: { url: expect.stringMatching(/^https?:\/\/.*\/o\/logos\/[\w-]{43}$/) },
  })
  const { url } = made.body
  expect((await upload(bytes)).body).toEqual({ url })
  const logo = await tenant.anonymous.get(pathOf(url))
  expect(logo).toMatchObject({
    status: 200,
    headers: {
      ...{ 'content-type': 'image/png', 'content-length': String(bytes.length), 'x-content-type-options': 'nosniff' },
      'cache-control': expect.stringContaining('max-age=3600'),
    },
  })
  const other = await service.addTenant()
  expect(await other.anonymous.get(pathOf(url))).toMatchObject({ status: 404 })

  expect((await tenant.operator.get('/v1/settings')).body.branding).toEqual({})
  await tenant.operator.put('/v1/settings', { branding: { logoUrl: url } })
  const { body: metadata } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(metadata.display[0].logo).toEqual({ uri: url })
  const { page } = await newOffer(tenant, [await compactConfiguration(tenant)])
  expect((await tenant.anonymous.get(pathOf(page))).body).toContain(`<img src="${pathOf(url)}"`)
  const address = await tenant.operator.get(`/v2/credentials/logos?url=${encodeURIComponent(url)}`)
  expect(address.body).toEqual({ address: pathOf(url) })
})

test('only small PNG, JPEG and WebP pictures are stored, and only by admins', async () => {
  const pictures = [
    [Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
    [Buffer.from('RIFF1234WEBP'), 'image/webp'],
    [pngOf('', 65_536 - 8), 'image/png'],
  ] as const
  for (const [bytes, type] of pictures) {
    const { url } = (await upload(bytes)).body
    expect((await tenant.anonymous.get(pathOf(url))).headers['content-type']).toBe(type)
  }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const refused of [
    Buffer.from(svg),
    Buffer.from('GIF89a12'),
    Buffer.from('x'),
    pngOf('', 65_530),
    pngOf('', 65_540),
  ])
    expect(await upload(refused)).toMatchObject({ status: 400, body: { details: [{ param: 'content' }] } })
  expect(await tenant.operator.post(path, { content: '%' })).toMatchObject({ status: 400 })
  for (const role of ['issuer', 'viewer', 'auditor'])
    expect((await (await service.as(role)).post(path, { content: pngOf('').toString('base64') })).status).toBe(403)
})

test('a tenant keeps its 100 newest logos, and removes none that its branding or a configuration shows', async () => {
  const nextLogo = async (name: string) => {
    service.clock.advance(1_000)
    return upload(pngOf(name))
  }
  const statusOf = async (url: string) => (await tenant.anonymous.get(pathOf(url))).status
  const { url: ofBranding } = (await nextLogo('of the branding')).body
  await tenant.operator.put('/v1/settings', { branding: { logoUrl: ofBranding } })
  const { url: ofCard } = (await nextLogo('of a card')).body
  await compactConfiguration(tenant, { display: [{ name: 'Card', logoUrl: ofCard }] })
  const made: string[] = []
  for (let number = 0; number < 101; number++) made.push((await nextLogo(String(number))).body.url)
  const statuses = await Promise.all([ofBranding, ofCard, ...made].map(statusOf))
  expect(statuses).toEqual([200, 200, 404, 404, 404, ...Array.from({ length: 98 }, () => 200)])

  // A logo that is uploaded again becomes the newest, and no other is removed.
  const [oldest = '', second = ''] = made.slice(3)
  expect((await nextLogo('3')).body).toEqual({ url: oldest })
  await nextLogo('new')
  expect(await Promise.all([oldest, second].map(statusOf))).toEqual([200, 404])

  const logos = [oldest, ...made.slice(5), (await nextLogo('new')).body.url]
  for (let at = 0; at < logos.length; at += 10)
    await compactConfiguration(tenant, {
      display: logos
        .slice(at, at + 10)
        .map((logoUrl, index) => ({ name: 'Card', locale: `q${'abcdefghij'[index]}`, logoUrl })),
    })
  expect(await nextLogo('one more')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Remove a logo from the branding or from a configuration first') },
  })
  expect(await Promise.all([ofBranding, ofCard, ...logos].map(statusOf))).toEqual(
    Array.from({ length: 100 }, () => 200),
  )
  expect((await nextLogo('3')).status).toBe(201)
})
