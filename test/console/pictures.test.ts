import { encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { plusMs } from '../../shared/clock.ts'
import { activeIaca, newOffer, sdJwtConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, startConsole } from './console.ts'
import { comparePicture, distanceOf } from './pictures.ts'

const day = 86_400_000

describe('the pictures of the README show', { tags: 'chromium' }, () => {
  let opened: Console
  let card: string
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    await service.operator.put('/v1/settings?partial=true', {
      name: 'Harbour University',
      branding: { accentColor: '#0b5c55' },
    })
    await activeIaca(service, { commonName: 'Harbour University Root' })
    card = await sdJwtConfiguration(service, {
      claimMappings: {
        given_name: { mapFrom: 'claims.given_name', required: true },
        student_number: { mapFrom: 'claims.student_number', required: true },
      },
    })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const studentClaims = { given_name: 'Ada', student_number: 'S-1042' }

  test('the offer page on a phone', async () => {
    const { service, browser } = opened
    const offer = await newOffer(service, [card], { claims: studentClaims })
    const context = await browser.newContext({
      viewport: { width: 390, height: 620 },
      deviceScaleFactor: 2,
      locale: 'en-GB',
    })
    const page = await context.newPage()
    await page.goto(service.origin + new URL(offer.page).pathname)
    await page.getByRole('link', { name: 'Add to wallet' }).waitFor()
    await comparePicture(page, 'offer-page')
  })

  test('the timeline of an offer with a failed check', async () => {
    const { service, open, faults } = opened
    const { id, uri } = await newOffer(service, [card], { claims: { given_name: 'Ada' } })
    const wallet = await newWallet(service, service.origin, uri)
    await wallet.redeem()
    await wallet.requestCredential()
    // The failure is stored after the answer to the wallet.
    await eventually(async () => (await service.operator.get(`/v1/openid/offers/${id}/details`)).body.failure)
    const page = await open(`/offers/${id}`, { roles: ['admin'], viewport: { width: 1280, height: 680 } })
    await page.locator('details[open][data-check]').waitFor()
    await page.getByRole('heading', { name: 'Timeline' }).evaluate((heading) => heading.scrollIntoView())
    await comparePicture(page, 'failed-check')
    expect(faults).toEqual([])
  })

  test('the overview of a tenant', async () => {
    const { service, open, faults } = opened
    const at = service.clock.now()
    const hook = { name: 'Student register', events: ['OpenIdCredentialIssued'], url: 'https://register.example/hook' }
    await service.operator.post('/v1/webhooks', hook)
    const issued = Array.from({ length: 30 }, (_, ago) =>
      Array.from({ length: 20 + ((ago * 7) % 23) }, () => ({ tenantId: service.id, at: plusMs(at, -ago * day) })),
    )
    await service.deps.db.tx(async (tx) => {
      await addIssued(tx, issued.flat())
      await tx.update(webhooks).set({ failures: 3, failingSince: plusMs(at, -2.5 * day) })
    })
    const page = await open('/', { roles: ['admin'], viewport: { width: 1280, height: 860 } })
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByText('The maximum was', { exact: false }).waitFor()
    await comparePicture(page, 'overview')
    expect(faults).toEqual([])
  })
})

test('another layout has a larger distance than the compared pictures may have', () => {
  const picture = (brightAt: (x: number) => boolean) => {
    const data = new Uint8Array(96 * 96).map((_, at) => (brightAt(at % 96) ? 255 : 200))
    return encode({ width: 96, height: 96, data, channels: 1 })
  }
  const columns = picture((x) => x < 48)
  expect(distanceOf(columns, columns)).toBe(0)
  expect(
    distanceOf(
      columns,
      picture((x) => x >= 48),
    ),
  ).toBeGreaterThan(0.2)
  expect(distanceOf(columns, encode({ width: 96, height: 95, data: new Uint8Array(96 * 95), channels: 1 }))).toBe(1)
})
