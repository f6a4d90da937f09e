import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOutcomes } from '../../db/repos/operations/issuance-outcomes.ts'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import { plusMs } from '../../shared/clock.ts'
import { hasChromium } from '../harness/chromium.ts'
import { webConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const day = 86_400_000
const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe.skipIf(!hasChromium)('charts', () => {
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

    await page.getByLabel('Grouping').selectOption('by type')
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
})
