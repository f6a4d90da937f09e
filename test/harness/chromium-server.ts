import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { type BrowserServer, chromium } from 'playwright-core'

/** The headless shell is first: it opens a page with a sixth of the CPU time, because it has no user interface. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

export const chromiumPath = [process.env.CHROMIUM_PATH ?? '', ...places].find((path) => path !== '' && existsSync(path))

/**
 * Provides one Chromium for the whole run on a socket at this path, which sends the address to each client. Chromium starts with the
 * first client, because most runs of a few files need none. Returns a function that ends it.
 */
export async function offerChromium(path: string): Promise<() => Promise<void>> {
  let started: Promise<BrowserServer> | undefined
  // Containers have no user namespace for the sandbox of Chromium. Signals end the run, and the run ends Chromium.
  const launch = () =>
    chromium.launchServer({
      ...{ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] },
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    })
  const server = createServer(async (asking) => {
    asking.on('error', () => undefined)
    try {
      started ??= launch()
      asking.end((await started).wsEndpoint())
    } catch (error) {
      started = undefined
      console.error(error)
      asking.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return async () => {
    server.close()
    rmSync(path, { force: true })
    await (await started?.catch(() => undefined))?.close()
  }
}
