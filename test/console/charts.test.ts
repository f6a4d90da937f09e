import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addIssued } from '../../db/repos/operations/issued-days.ts'
import { plusMs } from '../../shared/clock.ts'
import { hasChromium } from '../harness/chromium.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const day = 86_400_000

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
    await service.deps.db.tx((tx) =>
      addIssued(
        tx,
        [0, 1, 1, 3, 3, 3, 8].map((days) => ({ tenantId: service.id, at: plusMs(at, -days * day) })),
      ),
    )
    await page.reload()
    const chart = chartOf(page, 'Issuances')
    await chart.getByText('6 in 7 days. The maximum was 3').waitFor()
    const dates = [6, 5, 4, 3, 2, 1, 0].map((days) =>
      plusMs(at, -days * day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    )
    const counts = [0, 0, 0, 3, 0, 2, 1]
    const bars = chart.locator('.bars g')
    await bars.nth(3).hover()
    expect(await readingOf(chart).innerText()).toBe(`${dates[3]}: Issued 3`)
    await page.getByRole('heading', { level: 1 }).hover()
    await chart.getByText('Point at the chart, or use the arrow keys').waitFor()

    await chart.getByRole('img').focus()
    const read: string[] = []
    for (const key of ['', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Home', 'ArrowLeft', 'End']) {
      if (key) await page.keyboard.press(key)
      read.push(await readingOf(chart).innerText())
    }
    expect(read).toEqual([6, 6, 5, 4, 0, 0, 6].map((place) => `${dates[place]}: Issued ${counts[place]}`))
    expect(await tableOf(chart)).toEqual(dates.map((date, place) => [date, String(counts[place])]).reverse())
    await checkInBothLanguages(page, 'chart-issuances')
    expect(faults).toEqual([])
  })
})
