import type { Page, Request } from 'playwright-core'
import type { Console } from './console.ts'

/** A page of a person with one own role. */
export interface Visitor {
  page: Page
  /** The requests that the service refused with 403 since the last call. */
  refusals(): string[]
  /** Opens an address and waits until the screen has all that it requests. */
  goto(path: string): Promise<void>
  /** Clicks each entry of the menu. Returns its name and its actions, by tab. */
  walkMenu(): Promise<string[]>
  /** Returns the actions of the screen, by tab. */
  walkTabs(name: string): Promise<string[]>
}

/** The actions of a screen: its marked buttons, the buttons in a row, and those of menus of rows. Forms of filters change nothing. */
const actions =
  'main :is(.primary, .danger, .actions > button, .actions > a.button, .row-menu > span > :is(button, a)):not(.filters *)'

/** The buttons for each user: copying, and the public files of the audit, which exist after its first checkpoint. */
const forAll: readonly string[] = ['Copy', 'Checkpoint', 'Keys']

/** Runs in a page. Tells whether the screen shows that it loads. */
const loadsAfterTwoFrames = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector('.loading') !== null))))`

export async function openAs({ open, service }: Pick<Console, 'open' | 'service'>, role: string): Promise<Visitor> {
  const page = await open('/', { roles: [role] })
  const running = new Set<Request>()
  const refused = new Set<string>()
  page.on('request', (request) => running.add(request))
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => running.delete(request))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() === 403) refused.add(`${response.request().method()} ${pathname}`)
  })
  // A script that has arrived runs, and its first render requests data, before the next two frames.
  const settle = async () => {
    for (let quiet = 0; quiet < 3; ) {
      const isLoading = await page.evaluate(loadsAfterTwoFrames)
      quiet = running.size === 0 && !isLoading ? quiet + 1 : 0
    }
  }
  const click = async (link: ReturnType<Page['locator']>) => {
    await link.click()
    await settle()
  }
  async function actionsNow(name: string): Promise<string> {
    const texts = await page.locator(actions).evaluateAll((all) => all.map(({ textContent }) => textContent?.trim()))
    const named = [...new Set(texts)].filter((text) => text && !forAll.includes(text))
    return named.length > 0 ? `${name}: ${named.join(', ')}` : name
  }
  async function walkTabs(name: string): Promise<string[]> {
    const tabs = page.locator('.tabs a')
    const count = await tabs.count()
    if (count === 0) return [await actionsNow(name)]
    const actions: string[] = []
    for (let at = 0; at < count; at++) {
      await click(tabs.nth(at))
      const title = (await tabs.nth(at).innerText()).replace(/ \d+$/, '')
      actions.push(await actionsNow(`${name} › ${title}`))
    }
    return actions
  }
  return {
    page,
    walkTabs,
    refusals() {
      const requests = [...refused]
      refused.clear()
      return requests
    },
    async goto(path) {
      running.clear()
      await page.goto(`${service.origin}/console${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle()
    },
    async walkMenu() {
      const links = page.getByRole('navigation', { name: 'Menu' }).locator('a:not([target])')
      const actions: string[] = []
      for (let at = 0; at < (await links.count()); at++) {
        await click(links.nth(at))
        actions.push(...(await walkTabs(await links.nth(at).innerText())))
      }
      return actions
    },
  }
}
