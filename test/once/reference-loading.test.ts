import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../harness/chromium.ts'
import { joinService, type SharedService } from '../harness/harness.ts'

let service: SharedService
let browser: Browser
beforeAll(async () => {
  if (!hasChromium) return
  service = await joinService()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
})

test('the reference is readable before its data arrive, and is filled after it is shown', {
  tags: 'chromium',
}, async () => {
  const page = await (await browser.newContext()).newPage()
  const data = { clientId: service.clientId, clientSecret: service.clientSecret }
  await page.context().request.post(`${service.origin}/console/session`, { headers: { 'X-Console': '1' }, data })
  const [reference, session] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/openapi.json', (route) => reference.promise.then(() => route.continue()))
  await page.route('**/console/session', (route) => session.promise.then(() => route.continue()))

  await page.goto(`${service.origin}/docs`)
  await page.getByRole('heading', { name: 'API reference' }).waitFor()
  await page.getByRole('link', { name: 'Guides' }).waitFor()

  reference.resolve()
  await page.locator('.opblock-tag').first().waitFor()
  expect(await page.getByText('The operations are being loaded').count()).toBe(0)
  expect(await page.getByText('Signed in as').count()).toBe(0)

  session.resolve()
  await page.getByText('Signed in as').waitFor()
})
