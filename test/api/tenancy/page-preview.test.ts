import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/settings/preview'

test('an admin previews the offer page with a name and a branding that are not saved', async () => {
  const tenant = await service.addTenant()
  const other = await service.addTenant()
  const configurationId = await compactConfiguration(tenant, { display: [{ name: 'Library card' }] })
  const before = (await tenant.operator.get('/v1/settings')).body
  const body = {
    name: '<img src=x onerror=alert(1)>',
    branding: {
      ...{ backgroundColor: '#1f4e79', accentColor: '#0b6e4f', logoUrl: 'https://logos.example/a.png' },
      walletLinks: [{ name: 'Campus Wallet', url: 'https://wallet.example/get' }],
    },
  }
  const made = await tenant.operator.post(path, body)
  expect(made).toMatchObject({ status: 200, body: { page: expect.stringMatching(/^\/o\/previews\//) } })
  expect((await tenant.operator.get('/v1/settings')).body).toEqual(before)

  const { page } = made.body
  const answer = await tenant.anonymous.get(page)
  expect(answer).toMatchObject({ status: 200, headers: { 'x-robots-tag': expect.stringContaining('noindex') } })
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  for (const part of [
    '&#60;img src=x',
    '#0b6e4f',
    '/o/logos/',
    'Campus Wallet',
    'Library card',
    'data-state="preview"',
  ])
    expect(answer.body).toContain(part)
  expect(answer.body).not.toContain('<img src=x')

  const offer = await newOffer(tenant, [configurationId])
  const real = await tenant.anonymous.get(new URL(offer.page).pathname)
  expect(real.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(real.body).not.toContain('Campus Wallet')

  const foreign = (await other.operator.post(path, body)).body.page
  for (const wrong of [foreign, page.replace(/.$/, '_'), page.replace(/\/.{43}\./, '/.'), '/o/previews/x.e30'])
    expect([wrong, (await tenant.anonymous.get(wrong)).status]).toEqual([wrong, 404])
  service.clock.advance(3_600_000)
  expect((await tenant.anonymous.get(page)).status).toBe(404)
})

test('a tenant without configurations has a preview, and wrong and too large settings have none', async () => {
  const tenant = await service.addTenant()
  const { page } = (await tenant.operator.post(path, {})).body
  expect(await tenant.anonymous.get(page)).toMatchObject({ status: 200 })
  const walletLinks = Array.from({ length: 10 }, () => ({ name: 'W', url: `https://w.example/${'x'.repeat(900)}` }))
  for (const [branding, param] of [
    [{ logoUrl: 'javascript:alert(1)' }, 'branding.logoUrl'],
    [{ accentColor: 'red' }, 'branding.accentColor'],
    [{ walletLinks }, 'branding'],
  ] as const)
    expect(await tenant.operator.post(path, { branding })).toMatchObject({
      status: 400,
      body: { details: [{ param }] },
    })
  for (const role of ['issuer', 'viewer', 'auditor'])
    expect((await (await service.as(role)).post(path, {})).status).toBe(403)
})
