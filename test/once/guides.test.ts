import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderGuide } from '../../api/operations/guides/markdown.ts'
import { checkPage, openBrowser } from '../harness/chromium.ts'
import { joinService, type SharedService } from '../harness/harness.ts'

const folder = fileURLToPath(new URL('../../docs/', import.meta.url))
const files = globSync(['*.md', 'decisions/*.md'], { cwd: folder })
const names = files.map((file) => file.replace(/\.md$/, '')).filter((name) => name !== 'README')

describe('the guides at /docs/guide', () => {
  let service: SharedService
  beforeAll(async () => {
    service = await joinService()
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const read = (path: string) => service.anonymous.get(path)
  const linksOf = (page: string) =>
    [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) =>
      href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    )

  test('the index lists each guide', async () => {
    const { status, body } = await read('/docs/guide')
    expect(status).toBe(200)
    const listed = new Set(linksOf(body).filter((href) => href.startsWith('/docs/guide/')))
    expect([...listed].sort()).toEqual(names.map((name) => `/docs/guide/${name}`).sort())
  })

  test('each guide has no script, and its links lead to existing pages and headings', async () => {
    const pages = new Map<string, string>()
    for (const path of ['/docs/guide', ...names.map((name) => `/docs/guide/${name}`)]) {
      const { status, headers, body } = await read(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(body).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/)
      pages.set(path, body)
    }
    const broken: string[] = []
    for (const [path, body] of pages)
      for (const href of linksOf(body.slice(body.indexOf('<main>')))) {
        if (/^https?:/.test(href)) continue
        const [page, anchor] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#')
        const target = pages.get(page ?? '')
        if (target === undefined || (anchor && !target.includes(` id="${anchor}"`))) broken.push(`${path}: ${href}`)
      }
    expect(broken).toEqual([])
  })

  test('a name that is no guide is not found, and names no other file', async () => {
    for (const name of [
      'x',
      'README',
      '..%2FREADME',
      '%2E%2E%2Fpackage',
      'decisions',
      'deploy%2FCaddyfile',
      'decisions/x',
    ]) {
      expect(await read(`/docs/guide/${name}`)).toMatchObject({ status: 404 })
    }
  })

  test('markup, unknown links and pictures are shown as text', () => {
    const text =
      '# A\n\n<img src=x> [x](javascript:alert) [y](../package.json) ![z](https://example.org/z.png)\n\n## A\n'
    const { content } = renderGuide(text, { name: 'a', names: ['a'] })
    expect(content.markup).toBe('<h1 id="a">A</h1>\n<p>&#60;img src=x&#62; x y z</p>\n<h2 id="a-1">A</h2>\n')
  })

  test('a person reads a guide on a phone and on a desk, by day and by night', { tags: 'chromium' }, async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const faults: string[] = []
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      await page.goto(`${service.origin}/docs/guide`)
      await checkPage(page, 'guides')
      await page.getByRole('link', { name: 'Claim links', exact: true }).click()
      await page.getByRole('heading', { name: 'Claim links' }).waitFor()
      await checkPage(page, 'guide')
      await page.goto(`${service.origin}/docs/guide/settings`)
      await checkPage(page, 'guide-table')
      expect(faults).toEqual([])
      // The reference asks for a session of the console. Without one, the browser logs the status 401.
      const session = page.waitForResponse(`${service.origin}/console/session`)
      await page.getByRole('link', { name: 'API reference' }).click()
      expect((await session).status()).toBe(401)
      await page.getByRole('link', { name: 'Guides' }).click()
      await page.getByRole('heading', { name: 'Guides' }).waitFor()
    } finally {
      await browser.close()
    }
  })
})
