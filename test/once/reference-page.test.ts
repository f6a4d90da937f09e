import { expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../harness/chromium.ts'
import { joinService } from '../harness/harness.ts'

test.runIf(hasChromium)('a user logs in at the reference and sends an example body unchanged', async () => {
  await using service = await joinService()
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      // The browser also reports answers with 401 before the login, and with 404 for what the tenant does not have.
      if (message.type() === 'error' && !/status of (401|404)/.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${service.origin}/docs`)

    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const login = page.locator('.auth-container', { hasText: 'clientCredentials' })
    await login.getByLabel('client_id').fill(service.clientId)
    await login.getByLabel('client_secret').fill(service.clientSecret)
    await login.getByRole('button', { name: 'Apply' }).click()
    await login.getByText('Logout').waitFor()
    await login.getByRole('button', { name: 'Close' }).click()

    await page.locator('#operations-tag-Webhooks').click()
    const operation = page.locator('#operations-Webhooks-createWebhook')
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.innerText()).toContain('201')
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
})
