import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  ...['Vorlagen für Präsentationsanfragen', 'Wallet-Anbieter', 'Warteschlangen', 'Webhooks'],
  ...['Wurzeln', 'Zeilen', 'Ökosysteme'],
]

interface Measured {
  caption: string
  rows: number
  faults: string[]
}

/** Runs in a page. Returns the number of rows of each table, its rows of several lines, and by how much it is too wide or too narrow. */
const measure = `(() => [...document.querySelectorAll('main .wide')].filter((wide) => wide.checkVisibility()).map((wide) => {
  const rows = [...wide.querySelectorAll('tbody tr')]
  const high = rows.filter((row) => row.getBoundingClientRect().height > ${maxRowHeight})
  const over = wide.scrollWidth - wide.clientWidth
  const unused = wide.clientWidth - wide.querySelector('table').getBoundingClientRect().width
  return {
    caption: wide.querySelector('caption').textContent,
    rows: rows.length,
    faults: [
      ...high.slice(0, 1).map((row) => 'a row is ' + row.getBoundingClientRect().height + ' px high: ' + row.innerText),
      ...(over > 0 ? ['too wide by ' + over + ' px'] : []),
      ...(unused > 1 ? ['narrower than its place by ' + unused + ' px'] : []),
    ],
  }
}))()`

describe('tables', { tags: 'chromium' }, () => {
  let opened: Console
  let places: Record<string, string[]>
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    places = await nameAll(service, name)
    await newWaitingApproval(service, service.id)
    const role = { permissions: ['offers:find', 'users:find'], description: name }
    await service.operator.put('/v1/settings?partial=true', { roles: [{ name: 'enrolment-office', ...role }] })
    const context = { url: 'https://terms.example/hochschule/v1', document: { '@context': {} } }
    await service.operator.post('/v2/credentials/web-semantic/contexts', context)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** Visits each address and its tabs. Returns what is wrong with the tables, by address, and the captions of those with rows. */
  async function walk(page: Page, addresses: string[]) {
    const todo = addresses.map((each) => `/console${each}`)
    const faults: Record<string, string[]> = {}
    const captions = new Set<string>()
    for (const address of todo) {
      await page.goto(new URL(address, page.url()).href)
      await page.locator('main h1').waitFor()
      await expect.poll(() => page.locator('main .loading').filter({ visible: true }).count()).toBe(0)
      for (const table of (await page.evaluate(measure)) as Measured[]) {
        if (table.rows > 0) captions.add(table.caption)
        if (table.faults.length > 0) faults[`${address} ${table.caption}`] = table.faults
      }
      const tabs = await page
        .locator('nav.tabs a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      todo.push(...tabs.filter((href): href is string => href !== null && !todo.includes(href)))
    }
    return { faults, captions: [...captions].sort() }
  }

  test('have one line a row with German names and use the width of the screen', async () => {
    const page = await opened.open('/', { viewport: { width: 1280, height: 800 }, locale: 'de-DE' })
    const addresses = areasOf('tenant').flatMap((area) =>
      area.addresses.flatMap((each) => places[each] ?? (each.includes(':') ? [] : [each])),
    )
    const { faults, captions } = await walk(page, addresses)
    expect(faults).toEqual({})
    expect(captions).toEqual(withRows)
    expect(opened.faults).toEqual([])
  })
})
