import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { newWaitingApproval } from '../harness/waiting-approval.ts'
import { type Console, startConsole } from './console.ts'
import { areasOf, nameAll } from './everywhere.ts'

/** A name as long as the shortest name field allows. */
const name = 'Studierendenausweis der Universitätsbibliothek'

/** Rows of one line with buttons are lower than this many pixels, rows of two lines are higher. */
const maxRowHeight = 56

/** The tables that have rows. */
const withRows = [
  ...['Angebote', 'Apps der Inhaber', 'Arten', 'Datenquellen'],
  ...['Eigene Rollen', 'Ereignisse', 'Freigaben', 'JSON-LD-Kontexte'],
  ...['Konfigurationen', 'Management-Clients', 'Management-Token und Metadaten', 'Nachweise'],
  ...['Personen', 'Postfächer', 'Prüfpunkte des Audits', 'Registrierte Wallets'],
  ...['Sammelausstellung', 'Sitzungen', 'Statuslisten', 'Teilnehmer'],
  ...['Unter seinen Kennungen', 'VICAL-Signierer', 'Verschlüsselte Anfragen', 'Vertrauenswürdige Aussteller'],
  ...['Vorlagen für Präsentationsanfragen', 'Wallet-Anbieter', 'Wallets, die den Aussteller lesen können'],
  ...['Warteschlangen', 'Webhooks', 'Wurzeln', 'Zeilen', 'Ökosysteme'],
]

/** The columns of objects that have no name. */
const withoutNames = ['Ereignisse: Anfrage', 'Nachweise: Nachweis']

/** The widths of a phone, a tablet, a laptop and a large screen, by language. Each change of width costs time, so the last one is wide. */
const layoutWidths = { en: [1280, 360, 768, 1920], de: [1920, 360, 768, 1280] }
const layoutScript = readFileSync(new URL('./layout.js', import.meta.url), 'utf8')
const viewport = { width: 1280, height: 800 }

interface Measured {
  caption: string
  rows: number
  faults: string[]
  /** The heads of columns with ids of 36 characters. The screen shortens ids, their tooltips have them whole. */
  idColumns: string[]
}

/** Runs in a page. Returns the number of rows of each table, its rows of several lines, and by how much it is too wide or too narrow. */
const measure = `((uuid) => [...document.querySelectorAll('main .wide')].filter((wide) => wide.checkVisibility()).map((wide) => {
  const rows = [...wide.querySelectorAll('tbody tr')]
  const high = rows.filter((row) => row.getBoundingClientRect().height > ${maxRowHeight})
  const over = wide.scrollWidth - wide.clientWidth
  const unused = wide.clientWidth - wide.querySelector('table').getBoundingClientRect().width
  return {
    caption: wide.querySelector('caption').textContent,
    rows: rows.length,
    idColumns: [...wide.querySelectorAll('td')]
      .filter((cell) => [cell.innerText, ...[...cell.querySelectorAll('code')].map((code) => code.title)].some((text) => uuid.test(text)))
      .map((cell) => cell.dataset.head),
    faults: [
      ...high.slice(0, 1).map((row) => 'a row is ' + row.getBoundingClientRect().height + ' px high: ' + row.innerText),
      ...(over > 0 ? ['too wide by ' + over + ' px'] : []),
      ...(unused > 1 ? ['narrower than its place by ' + unused + ' px'] : []),
    ],
  }
}))(/[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}/)`

describe('tables', { tags: 'chromium' }, () => {
  let opened: Console
  let places: Record<string, string[]>
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    places = await nameAll(service, name)
    // A job reads the rows of the file.
    const file = places['/bulk/:id']?.[0]?.replace('/bulk/', '')
    await eventually(async () => (await service.operator.get(`/v1/bulk-issuances/${file}`)).body.invalid === 1)
    await newWaitingApproval(service, service.id)
    const role = { permissions: ['offers:find', 'users:find'], description: name }
    await service.operator.put('/v1/settings?partial=true', { roles: [{ name: 'enrolment-office', ...role }] })
    const context = { url: 'https://terms.example/hochschule/v1', document: { '@context': {} } }
    await service.operator.post('/v2/credentials/web-semantic/contexts', context)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /**
   * Visits each address and its tabs. Returns what is wrong with the tables and with the layout, by address, the captions of the tables with
   * rows, and the columns with ids.
   */
  async function walk(page: Page, host: 'tenant' | 'platform') {
    const addresses = areasOf(host).flatMap((area) =>
      area.addresses.flatMap((each) => places[each] ?? (each.includes(':') ? [] : [each])),
    )
    const todo = addresses.map((each) => `/console${each}`)
    const faults: Record<string, string[]> = {}
    const captions = new Set<string>()
    const idColumns = new Set<string>()
    for (const address of todo) {
      await page.goto(new URL(address, page.url()).href)
      await page.locator('main h1').waitFor()
      await expect.poll(() => page.locator('main .loading').filter({ visible: true }).count()).toBe(0)
      for (const table of await measureWithNames(page)) {
        if (table.rows > 0) captions.add(table.caption)
        for (const head of table.idColumns) idColumns.add(`${table.caption}: ${head}`)
        if (table.faults.length > 0) faults[`${address} ${table.caption}`] = table.faults
      }
      Object.assign(faults, await findLayoutFaults(page, address))
      const tabs = await page
        .locator('nav.tabs a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      todo.push(...tabs.filter((href): href is string => href !== null && !todo.includes(href)))
    }
    return { faults, captions: [...captions].sort(), idColumns: [...idColumns].sort() }
  }

  test('have one line a row with German names and use the width of the screen, and each screen fits into each width', async () => {
    const page = await opened.open('/', { viewport, locale: 'de-DE' })
    const { faults, captions, idColumns } = await walk(page, 'tenant')
    expect(faults).toEqual({})
    expect(captions).toEqual(withRows)
    expect(idColumns).toEqual(withoutNames)
    expect(opened.faults).toEqual([])
  })

  test('of the platform do so too', async () => {
    const page = await opened.open('/', { host: 'platform', viewport, locale: 'de-DE' })
    const { faults, idColumns } = await walk(page, 'platform')
    expect(faults).toEqual({})
    expect(idColumns).toEqual([])
    expect(opened.faults).toEqual([])
  })
})

/** Measures the tables. Names can arrive after the rows, so it waits until only columns of objects without a name have ids. */
async function measureWithNames(page: Page): Promise<Measured[]> {
  let tables: Measured[] = []
  const unnamed = async () => {
    tables = await page.evaluate(measure)
    const columns = tables.flatMap(({ caption, idColumns }) => idColumns.map((head) => `${caption}: ${head}`))
    return columns.filter((column) => !withoutNames.includes(column))
  }
  await expect.poll(unnamed).toEqual([])
  return tables
}

/** Returns what is wrong with the layout of a screen at each width in German and English. A colour scheme does not change the layout. */
async function findLayoutFaults(page: Page, address: string): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {}
  for (const [language, widths] of Object.entries(layoutWidths)) {
    await page.locator('.menu select').selectOption(language)
    await page.locator(`html[lang=${language}]`).waitFor()
    for (const width of widths) {
      if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 })
      const found = (await page.evaluate(layoutScript)) as string[]
      if (found.length > 0) faults[`${language} ${width} ${address}`] = found
    }
  }
  return faults
}
