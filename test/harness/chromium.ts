import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { chromiumPath } from './chromium-server.ts'
import { readAnswer } from './lazy-answer.ts'

/** Whether there is a Chromium, at `CHROMIUM_PATH` or in its usual places. Without one, the tests of pages are skipped. */
export const hasChromium = chromiumPath !== undefined

/** A separate browser context in the run's Chromium. `close` closes its pages. */
export async function openBrowser(): Promise<Browser> {
  return chromium.connect(await readAnswer(inject('chromiumSocket')))
}

/** The folder of the screenshots. Tests do not read them. */
const screenshots = process.env.SCREENSHOTS

/** The short build of axe-core, because each checked page loads it. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The widths of phones, tablets and screens. */
export const widths = [360, 768, 1024, 1280]

/** Checks a page in all widths, in light and dark mode. Nothing may be wider than the screen at any of the widths. */
export async function checkPage(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 360 ? 780 : 900 })
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
    // The width has no effect on what is found in a colour scheme, so one width is enough without screenshots.
    if (width !== 360 && !screenshots) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (screenshots)
        await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      if (width === 360) expect(await faultsFoundByAxe(page, colorScheme)).toEqual([])
    }
  }
}

/**
 * Returns the faults that axe-core finds in the page, by rule and element. In dark mode only colours are checked. What
 * passes a rule is not reported, because a report of a whole page costs more than the rules.
 */
async function faultsFoundByAxe(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  if (!(await page.evaluate('globalThis.axe !== undefined'))) await page.evaluate(axe)
  const report = { resultTypes: ['violations'], selectors: false }
  const options = colorScheme === 'light' ? report : { ...report, runOnly: ['color-contrast'] }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
