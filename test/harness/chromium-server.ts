import { existsSync } from 'node:fs'
import { type BrowserServer, chromium } from 'playwright-core'
import { offerLazily } from './lazy-answer.ts'

/** The headless shell is first: it opens a page with a sixth of the CPU time, because it has no user interface. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

export const chromiumPath = [process.env.CHROMIUM_PATH ?? '', ...places].find((path) => path !== '' && existsSync(path))

/** Provides one Chromium for the whole run. It starts with the first client of the socket. Returns a function that ends it. */
export async function offerChromium(path: string): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined
  const answer = await offerLazily(path, async () => {
    // Containers have no user namespace for the sandbox of Chromium. Signals end the run, and the run ends Chromium.
    browser = chromium.launchServer({
      ...{ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] },
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    })
    return (await browser).wsEndpoint()
  })
  return async () => {
    answer.end()
    await (await browser?.catch(() => undefined))?.close()
  }
}
