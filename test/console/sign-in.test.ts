import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProviderFor, settingsFor } from '../api/console/provider-people.ts'
import type { RunningProvider } from '../servers/provider.ts'
import { type Console, checkScreen, startConsole } from './console.ts'

const failed = { en: 'The provider refused', de: 'Der Anbieter hat die Anmeldung abgelehnt' }
const reasons = {
  cancelled: { en: 'The sign-in was cancelled at the provider.', de: 'beim Anbieter abgebrochen' },
  no_role: { en: 'none of your groups has a role here', de: 'keine Ihrer Gruppen hat hier eine Rolle' },
  expired: { en: 'The sign-in took too long', de: 'Die Anmeldung hat zu lange gedauert' },
  unavailable: { en: 'The provider could not be reached.', de: 'Der Anbieter war nicht zu erreichen' },
  busy: { en: 'This service could not complete the sign-in', de: 'Dieser Dienst konnte die Anmeldung' },
  changed: { en: 'settings of the provider have changed', de: 'Einstellungen des Anbieters wurden inzwischen' },
  failed,
  '<img src=x onerror=alert(1)>': failed,
}

describe('sign-in at the console', { tags: 'chromium' }, () => {
  let opened: Console
  let provider: RunningProvider
  beforeAll(async () => {
    opened = await startConsole()
    const { service } = opened
    provider = await runProviderFor(service.origin, service.baseUrl)
    const saved = await service.operator.put('/v1/sign-in-provider', settingsFor(provider))
    expect(saved).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await provider?.[Symbol.asyncDispose]()
    await opened?.[Symbol.asyncDispose]()
  })

  test('a user signs in at the provider, reaches the requested page and sees their name in the menu', async () => {
    const { service, open } = opened
    const page = await open('/offers?state=claimed#claim=given_name', { isAnonymous: true })
    await page.getByRole('button', { name: 'Sign in with University login' }).focus()
    await checkScreen(page, 'sign-in-provider')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { level: 1, name: 'Offers' }).waitFor()
    expect(page.url()).toBe(`${service.origin}/console/offers?state=claimed#claim=given_name`)
    await page.getByText('Ada Lovelace').waitFor()
    await page.getByText('Signed in at the provider').waitFor()
  })

  test('a user signs in again in another tab, and the first tab keeps the typed text', async () => {
    const { service, open } = opened
    const page = await open('/webhooks/new', { isAnonymous: true })
    await page.getByRole('button', { name: 'Sign in with' }).click()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByLabel('Address').fill('https://hooks.example.org/typed')
    await page.context().clearCookies({ name: 'console' })
    await page.getByRole('button', { name: 'Create' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Sign in with University login' }).click(),
    ])
    const ada = tab.getByRole('button', { name: 'Ada Lovelace' })
    const done = tab.getByRole('heading', { name: 'You are signed in' })
    await ada.or(done).waitFor()
    if (await ada.isVisible()) await ada.click()
    await done.waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Address').inputValue()).toBe('https://hooks.example.org/typed')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    const { data } = (await service.operator.get('/v1/webhooks')).body
    expect(data).toMatchObject([{ url: 'https://hooks.example.org/typed' }])
  })

  test('a user who returns without a session sees the reason, in both languages', async () => {
    const { service, open } = opened
    const page = await open('/', { isAnonymous: true })
    for (const language of ['en', 'de'] as const) {
      await page.evaluate(`localStorage.setItem('console-language', '${language}')`)
      await page.reload()
      for (const [code, words] of Object.entries(reasons)) {
        await page.goto(`${service.origin}/console/#error=${encodeURIComponent(code)}`)
        await page.getByText(words[language]).waitFor()
        expect(page.url()).toBe(`${service.origin}/console/`)
      }
    }
  })

  test('a user without a role sees the reason', async () => {
    const { open } = opened
    const page = await open('/', { isAnonymous: true })
    await page.getByRole('button', { name: 'Sign in with' }).click()
    await page.getByRole('button', { name: 'Eve' }).click()
    await page.getByText('none of your groups has a role here').waitFor()
  })

  test('a stolen session is not valid on the host of another tenant, and pages of other origins cannot use it', async () => {
    const { service, open } = opened
    const other = await service.addTenant()
    const page = await open('/users')
    const session = (await page.context().cookies()).find(({ name }) => name === 'console')
    const planted = { name: 'console', value: session?.value ?? '', url: `http://${other.host}` }
    await page.context().addCookies([planted])
    const foreign = await page.context().newPage()
    await foreign.goto(`http://${other.host}/console/users`)
    await foreign.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    const post = (url: string) => `fetch('${url}', {
      method: 'POST', credentials: 'include', headers: { 'x-console': '1', 'content-type': 'application/json' }, body: '{"claims":{}}'
    }).then(({ status }) => status, () => 'blocked by the browser')`
    expect(await foreign.evaluate(post('/v1/users'))).toBe(401)

    expect(await foreign.evaluate(post(`${service.origin}/v1/users`))).toBe('blocked by the browser')
    for (const [path, status, body] of [
      ['/v1/users', 401, '{"claims":{},"x":"'],
      ['/console/session', 415, `{"clientId":"${service.clientId}","clientSecret":"${service.clientSecret}","x":"`],
    ] as const) {
      await foreign.goto(`http://${other.host}/console/`)
      await foreign.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      // A form can send JSON as plain text, but no header.
      const sent = foreign.waitForResponse((answer) => answer.url() === service.origin + path)
      await foreign.evaluate(`{
        const form = Object.assign(document.createElement('form'), { method: 'POST', action: '${service.origin}${path}', enctype: 'text/plain' })
        form.append(Object.assign(document.createElement('input'), { name: ${JSON.stringify(body)}, value: '"}' }))
        document.body.append(form)
        form.submit()
      }`)
      const refused = await sent
      expect(refused.status()).toBe(status)
      expect(await refused.headerValue('set-cookie')).toBeNull()
      await foreign.waitForURL(service.origin + path)
    }
    expect((await service.operator.get('/v1/users')).body.data).toEqual([])
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  })
})
