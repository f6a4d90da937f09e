import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordOfferFailure } from '../../db/repos/issuance/offers/offer-failures.ts'
import { addOutcomes } from '../../db/repos/operations/issuance-outcomes.ts'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import { iacas, signersPath } from '../certificates/hierarchy.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { avoidEndOfHour, eventually } from '../harness/harness.ts'
import { newList } from '../harness/revocable.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const day = 86_400_000
const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('charts', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const chartOf = (page: Page, title: string) =>
    page.locator('figure.chart').filter({ has: page.getByRole('img', { name: title }) })
  const readingOf = (chart: Locator) => chart.getByRole('status')

  /** Returns the cells of the table beside a chart, by row. */
  async function tableOf(chart: Locator): Promise<string[][]> {
    await chart.getByText('As a table').click()
    const rows = await chart.locator('tbody tr').all()
    return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()))
  }

  test('issuances are read by pointer, by arrow keys and from the table', async () => {
    const { service, open, faults } = opened
    const page = await open('/?days=7')
    await page.getByText('Nothing was issued in these 7 days.').waitFor()
    const at = service.clock.now()
    const configurationId = await webConfiguration(service, { name: canary })
    const ago = (...days: number[]) => days.map((each) => ({ tenantId: service.id, at: plusMs(at, -each * day) }))
    await service.deps.db.tx(async (tx) => {
      await addIssued(tx, ago(0, 1, 1, 3, 3, 3, 8))
      const ended = { configurationId: undefined }
      await addOutcomes(tx, [
        ...ago(0, 3, 3).map((each) => ({ ...each, outcome: 'issued' as const, configurationId })),
        ...ago(1).map((each) => ({ ...each, outcome: 'issued' as const, configurationId: service.id })),
        ...ago(3, 3, 9).map((each) => ({ ...each, ...ended, outcome: 'failed' as const })),
        ...ago(3, 6).map((each) => ({ ...each, ...ended, outcome: 'expired' as const })),
      ])
    })
    await page.reload()
    const chart = chartOf(page, 'Issuances')
    await chart.getByText('6 in 7 days. The maximum was 3').waitFor()
    await chart.getByText('Offers that failed: 2, that expired unused: 2.').waitFor()
    const dates = [6, 5, 4, 3, 2, 1, 0].map((days) =>
      plusMs(at, -days * day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    )
    const counts = [
      ...[
        [0, 0, 1],
        [0, 0, 0],
        [0, 0, 0],
      ],
      ...[
        [3, 2, 1],
        [0, 0, 0],
        [2, 0, 0],
        [1, 0, 0],
      ],
    ]
    const sentenceOf = (place: number) =>
      `${dates[place]}: Issued ${counts[place]![0]}, Failed ${counts[place]![1]}, Expired ${counts[place]![2]}`
    const bars = chart.locator('.bars g')
    await bars.nth(3).hover()
    expect(await readingOf(chart).innerText()).toBe(`${dates[3]}: Issued 3, Failed 2, Expired 1`)
    await page.getByRole('heading', { level: 1 }).hover()
    await chart.getByText('Point at the chart, or use the arrow keys').waitFor()

    await chart.getByRole('img').focus()
    const read: string[] = []
    for (const key of ['', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Home', 'ArrowLeft', 'End']) {
      if (key) await page.keyboard.press(key)
      read.push(await readingOf(chart).innerText())
    }
    expect(read).toEqual([6, 6, 5, 4, 0, 0, 6].map(sentenceOf))
    expect(await tableOf(chart)).toEqual(dates.map((date, place) => [date, ...counts[place]!.map(String)]).reverse())
    await checkInBothLanguages(page, 'chart-issuances')

    // The first and the last of 366 days differ only in their year.
    await page.getByLabel('Period').selectOption('The last 366 days')
    await chart.getByText('7 in 366 days').waitFor()
    const inYear = (each: Date) =>
      each.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    expect(await chart.locator('.ends span').allInnerTexts()).toEqual([inYear(plusMs(at, -365 * day)), inYear(at)])
    await page.getByLabel('Period').selectOption('The last 7 days')
    await page.getByLabel('Grouping').selectOption('By type')
    await page.reload()
    await chart.getByText(canary, { exact: true }).first().waitFor()
    const byType = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [2, 0, 1],
      [0, 0, 0],
      [0, 1, 1],
      [1, 0, 0],
    ]
    expect(await tableOf(chart)).toEqual(dates.map((date, place) => [date, ...byType[place]!.map(String)]).reverse())
    await bars.nth(5).hover()
    expect(await readingOf(chart).innerText()).toBe(`${dates[5]}: ${canary} 0, ${service.id} 1, Other 1`)
    await checkInBothLanguages(page, 'chart-types')
    expect(faults).toEqual([])
  })

  test('the offers of the last 24 hours have as many failures as the totals', async () => {
    const { service, open, faults } = opened
    avoidEndOfHour(service)
    const configurationId = await webConfiguration(service)
    const made = [1, 2, 3].map(() => newOffer(service, [configurationId]))
    const [failed] = await Promise.all(made)
    const at = service.clock.now()
    const failure = { requestId: randomUUID(), check: 'claims' as const, reason: 'x', failedAt: at }
    await service.deps.db.tx((tx) => recordOfferFailure(tx, service.id, failed!.id, failure, ['usable'], at))
    const page = await open('/')
    const chart = chartOf(page, 'Offers of the last 24 hours')
    await chart.getByText('3 offers for one person: 0 collected, 1 failed, 0 expired, 2 open.').waitFor()
    await page.getByRole('link', { name: /^1 Failed offers \(24 hours\)$/ }).waitFor()
    const rows = await tableOf(chart)
    expect(rows).toHaveLength(24)
    expect(rows[0]!.slice(1)).toEqual(['0', '1', '0', '2'])
    await checkInBothLanguages(page, 'chart-offers')
    expect(faults).toEqual([])
  })

  /** A date as the console shows it. */
  const dateOf = (at: string) => new Date(at).toLocaleString('en-GB', { dateStyle: 'medium' })
  const timeOf = (at: string) => new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

  const timeLeft = (ms: number) => `${Math.floor(ms / (30.44 * day))} months left`

  test('the lifetimes of certificates have today, and renewals only where the service renews', async () => {
    const { service, open, faults } = opened
    const page = await open('/certificates', { roles: ['issuer'] })
    await page.getByText('No certificate yet.').waitFor()
    expect(await page.locator('figure.chart').count()).toBe(0)
    const notAfter = plusMs(service.clock.now(), 3_800 * day).toISOString()
    const root = { commonName: 'Example root', country: 'NZ', notAfter }
    const { id: iacaId } = (await service.operator.post(iacas, root)).body
    await page.reload()
    const chart = chartOf(page, 'Lifetimes')
    await chart.locator('.span').waitFor()
    expect(await chart.locator('.span').count()).toBe(1)
    expect(await chart.getByText('Renewal by the service').count()).toBe(0)

    const iaca = (await service.operator.put(`${iacas}/${iacaId}`, { active: true })).body
    const [signer, revoked] = await Promise.all(
      (['document-signer', 'sd-jwt-signer'] as const).map((kind) =>
        eventually(async () => (await service.operator.get(signersPath(kind))).body.data[0]),
      ),
    )
    await service.operator.post(`${signersPath('sd-jwt-signer')}/${revoked.id}/revoke`, {})
    await page.reload()
    await chart.locator('.diamond').nth(1).waitFor()
    const lifeOf = ({ notBefore, notAfter }: Record<string, string>) => [dateOf(notBefore!), dateOf(notAfter!)]
    const names = [`IACA: ${iaca.certificateData.commonName}`, `Document signer: ${signer.certificateData.commonName}`]
    // The service chooses the end of a signer.
    const left = timeLeft(Date.parse(signer.certificateData.notAfter) - service.clock.now().getTime())
    const lives = [lifeOf(iaca.certificateData), lifeOf(signer.certificateData)]
    const rows = chart.locator('.span')
    await rows.nth(0).hover()
    expect(await readingOf(chart).innerText()).toBe(`${names[0]}: ${lives[0]!.join(' – ')}, 10 years left`)
    await chart.getByRole('img').focus()
    await page.keyboard.press('ArrowDown')
    const renewal = dateOf(signer.renewsAt)
    expect(await readingOf(chart).innerText()).toBe(
      `${names[1]}: ${lives[1]!.join(' – ')}, ${left}, Renewal by the service ${renewal}`,
    )
    await page.keyboard.press('ArrowUp')
    expect(await readingOf(chart).innerText()).toContain(names[0])
    expect(await tableOf(chart)).toEqual([
      [names[0], ...lives[0]!, '10 years left', '–'],
      [names[1], ...lives[1]!, left, renewal],
    ])
    // The legend has one too. The mark is before the end of its bar.
    expect(await chart.locator('.diamond').count()).toBe(2)
    const [mark, bar] = await Promise.all(
      [rows.nth(1).locator('.diamond'), rows.nth(1).locator('rect').last()].map((each) => each.boundingBox()),
    )
    const part = (mark!.x + mark!.width / 2 - bar!.x) / bar!.width
    const at = service.clock.now().getTime()
    const whole = Date.parse(signer.certificateData.notAfter) - at
    expect(part).toBeCloseTo((Date.parse(signer.renewsAt) - at) / whole, 1)
    await checkInBothLanguages(page, 'chart-certificates')

    await service.operator.put(`${iacas}/${iaca.id}`, { active: false })
    await page.reload()
    await rows.nth(1).waitFor()
    expect(await chart.locator('.diamond').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('the lifetime of a published list has its next renewal, and the fill of a list has a percentage', async () => {
    const { service, open, faults } = opened
    const [id, almostEmpty] = [await newList(service, service.id), await newList(service, service.id, 'web-semantic')]
    const at = service.clock.now()
    const times = { issuedAt: at, expiresAt: plusMs(at, 7 * day), renewAt: plusMs(at, day) }
    await service.deps.db.tx(async (tx) => {
      await tx.update(publishedLists).set(times).where(eq(publishedLists.listId, id))
      await tx.update(statusLists).set({ taken: 255, size: 1_000 }).where(eq(statusLists.id, id))
      await tx.update(statusLists).set({ taken: 1 }).where(eq(statusLists.id, almostEmpty))
    })
    const page = await open('/status-lists')
    const chart = chartOf(page, 'Lifetimes')
    await chart.locator('.span').hover()
    const text = (each: Date) => timeOf(each.toISOString())
    expect(await readingOf(chart).innerText()).toMatch(
      new RegExp(
        `: ${text(at)} – ${text(times.expiresAt)}, [67] days left, Renewal by the service ${text(times.renewAt)}$`,
      ),
    )
    expect((await tableOf(chart)).map((row) => row.slice(1, 3))).toEqual([[text(at), text(times.expiresAt)]])
    for (const fill of ['255 of 1,000 (25.5%)', '1 of 1,000,000 (0.0001%)']) await page.getByText(fill).waitFor()
    await checkInBothLanguages(page, 'chart-lists')
    expect(faults).toEqual([])
  })

  test('success and response times of a webhook are by hour, or by day for a longer time, with the period in words', async () => {
    const { service, open, faults } = opened
    const hook = { events: ['OpenIdCredentialIssued'], url: 'https://receiver.example/hook' }
    const { body: webhook } = await service.operator.post('/v1/webhooks', hook)
    const page = await open(`/webhooks/${webhook.id}`, { roles: ['issuer'] })
    await page.getByText('Nothing was sent yet').waitFor()
    expect(await page.locator('figure.chart').count()).toBe(0)

    const hour = 3_600_000
    const now = service.clock.now()
    await page.clock.setFixedTime(now)
    /** Stores deliveries, each with its attempts: hours ago, status and duration. */
    const deliver = (...all: [hoursAgo: number, status: number | undefined, durationMs: number][][]) =>
      service.deps.db.tx(async (tx) => {
        const rows = all.map((attempts) => ({
          ...{ id: randomUUID(), tenantId: service.id, webhookId: webhook.id, eventId: randomUUID() },
          ...{ kind: 'OpenIdCredentialIssued' as const, state: 'delivered' as const, attemptsMade: attempts.length },
          ...{ eventAt: now, createdAt: plusMs(now, -attempts[0]![0] * hour) },
          attempts: attempts.map(([hoursAgo, status, durationMs]) => ({
            ...{ id: randomUUID(), at: plusMs(now, -hoursAgo * hour).toISOString(), durationMs },
            ...(status === undefined ? { error: 'timeout' } : { status }),
          })),
        }))
        await tx.insert(deliveries).values(rows)
      })
    await deliver([[0, 200, 40]])
    await page.reload()
    const results = chartOf(page, 'Attempts')
    const times = chartOf(page, 'Response times')
    await results.getByText('1 of 1 attempts succeeded (100%).').waitFor()
    expect(await results.locator('.bars g').count()).toBe(1)
    await deliver(
      [
        [2, 500, 90],
        [0, 204, 60],
      ],
      [[0, undefined, 5_000]],
      [[0, 202, 1_200]],
    )
    await page.reload()
    await results.getByText('3 of 5 attempts succeeded (60%).').waitFor()
    await times.getByText('Median 90 ms, slowest 5,000 ms.').waitFor()
    await page
      .getByText(`Attempts of the newest deliveries (4), since ${timeOf(plusMs(now, -2 * hour).toISOString())}.`)
      .waitFor()
    const text = (hoursAgo: number) =>
      new Date(plusMs(now, -hoursAgo * hour).setMinutes(0, 0, 0)).toLocaleString('en-GB', {
        ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
      })
    expect(await tableOf(results)).toEqual([
      [text(0), '3', '1'],
      [text(1), '0', '0'],
      [text(2), '0', '1'],
    ])
    expect(await tableOf(times)).toEqual([
      [text(0), '60 ms'],
      [text(1), '–'],
      [text(2), '90 ms'],
    ])
    await results.locator('.bars g').first().hover()
    expect(await readingOf(results).innerText()).toBe(`${text(2)}: Succeeded 0, Failed 1`)
    await page.getByRole('heading', { level: 1 }).hover()
    await times.getByRole('img').focus()
    expect(await readingOf(times).innerText()).toBe(`${text(0)}: Median 60 ms`)
    await checkInBothLanguages(page, 'chart-webhook')

    await deliver(...Array.from({ length: 497 }, () => [[60, 200, 30] as [number, number, number]]))
    await page.reload()
    await page
      .getByText(`Attempts of the newest deliveries (500), since ${timeOf(plusMs(now, -60 * hour).toISOString())}.`)
      .waitFor()
    await results.getByText('499 of 501 attempts succeeded (99.6%).').waitFor()
    const days = await tableOf(results)
    expect(days.length).toBeGreaterThanOrEqual(3)
    expect(days.at(-1)!.slice(1)).toEqual(['496', '0'])
    expect(faults).toEqual([])
  })
})
