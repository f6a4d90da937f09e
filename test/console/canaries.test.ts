import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, startConsole } from './console.ts'
import { type Area, areasOf, nameAll } from './everywhere.ts'

// The longest text that fits into the shortest name field.
const markup = '"><script>x()</script><img src=x onerror=x()>'
const stored = `${markup} 1`
const typed = `${markup} 2`
const sweepScript = readFileSync(new URL('./sweep.js', import.meta.url), 'utf8')

/** The result of `sweep` in the script. */
interface Swept {
  forms: string[]
  ways: string[]
  isShown: boolean
  /** Elements that typed or stored text became. */
  made: string[]
}

/** Addresses that differ only in ids or templates are one kind. */
const kindOf = (address: string) => address.replaceAll(/=[\da-f]{8}-[\w-]+|profile=[\w-]+&?|(?<=from=)[\w-]+/g, '')

describe('markup', { tags: 'chromium' }, () => {
  let opened: Console
  let places: Record<string, string[]>
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing'] })
    places = await nameAll(opened.service, stored)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** Visits every address of an area with its tabs. Returns the forms and the addresses that show the stored names. */
  async function sweepArea(page: Page, { addresses }: Area) {
    const forms = new Set<string>()
    const showing: string[] = []
    const seen = new Set<string>()
    const ways = addresses.flatMap((each) => places[each] ?? (each.includes(':') ? [] : [each]))
    const todo = ways.map((each) => `/console${each}`)
    // The first address loads the code of the area.
    await page.goto(new URL(todo[0] ?? '', page.url()).href)
    for (const address of todo) {
      if (seen.has(kindOf(address))) continue
      seen.add(kindOf(address))
      // JSON escapes quotes. The text without its first character also matches in JSON.
      const secrets = [address, typed, stored.slice(1)].map((each) => JSON.stringify(each))
      const swept = (await page.evaluate(`sweep(${secrets})`)) as Swept
      expect(swept.made).toEqual([])
      for (const form of swept.forms) forms.add(form)
      if (swept.isShown) showing.push(address)
      todo.push(...swept.ways)
    }
    return { forms, showing }
  }

  test.each([
    [
      'tenant',
      [
        'access',
        'bulk',
        'certificates',
        'configurations',
        'credentials',
        'ecosystems',
        'events',
        'messages',
        'offers',
        'overview',
        'settings',
        'users',
        'verification',
        'wallet',
      ],
    ],
    ['platform', ['tenants']],
  ] as const)(
    'is shown as text in every form and view on the host of the %s',
    { timeout: 300_000 },
    async (host, named) => {
      const { open, faults } = opened
      // Other tests check the layout. A small viewport takes a third less time to draw.
      const page = await open('/', { viewport: { width: 320, height: 120 }, ...(host === 'platform' && { host }) })
      await page.addInitScript(sweepScript)
      const showing: string[] = []
      for (const area of areasOf(host)) {
        const sweep = await sweepArea(page, area)
        expect(sweep.forms.size, [area.name, ...sweep.forms].join('\n')).toBeGreaterThanOrEqual(area.forms)
        if (sweep.showing.length > 0) showing.push(area.name)
      }
      expect(showing.sort()).toEqual(named)
      expect(faults).toEqual([])
    },
  )
})
