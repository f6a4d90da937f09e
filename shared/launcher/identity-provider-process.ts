import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { useCompileCache } from '../process/compile-cache.ts'
import { exitIfMisconfigured } from '../process/dependency.ts'
import { endLoading } from '../process/process.ts'
import { readDataLocations } from '../settings/config.ts'
import { type DemoFacts, readDemoFacts } from './demo-facts.ts'
import { readIdentityProviderFacts } from './identity-provider-facts.ts'

/**
 * `node shared/launcher/identity-provider-process.ts`: the development provider of `npm start`. It listens on loopback, and has the demo
 * tenant as its only client.
 */
const { dataDir } = exitIfMisconfigured(() => readDataLocations(process.env))
process.on('disconnect', () => process.exit(0))
useCompileCache(dataDir)
const { createIdentityProvider } = await import('./identity-provider.ts')
const facts = readIdentityProviderFacts(dataDir)
if (!facts) throw new Error('The file of the provider is missing in DATA_DIR. `npm start` creates it.')
const demo = await waitForDemo()

const users = [
  {
    sub: 'demo-ada',
    claims: {
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      birthdate: '1815-12-10',
      email: 'ada@example.org',
      email_verified: true,
    },
  },
  {
    sub: 'demo-alan',
    claims: {
      name: 'Alan Turing',
      given_name: 'Alan',
      family_name: 'Turing',
      birthdate: '1912-06-23',
      email: 'alan@example.org',
      email_verified: true,
    },
  },
]

// Suppresses the warning that the provider stores everything in memory, which is intended.
const { warn } = console
console.warn = () => undefined
const provider = createIdentityProvider({
  ...facts,
  redirectUris: [`${demo.baseUrl}/v1/oauth/authentication/callback`],
  users,
  // Boundary: identity-provider-facts.ts created it with Node.
  signingKey: facts.signingKey as unknown as Parameters<typeof createIdentityProvider>[0]['signingKey'],
})
console.warn = warn
const { port, hostname } = new URL(facts.issuer)
const server = createServer(provider.callback()).listen(Number(port), hostname)
endLoading()

process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
process.on('SIGINT', () => undefined) // the launcher sends SIGTERM

/** Waits until the web process has created the demo tenant. The launcher ends this process if the web process ends. */
async function waitForDemo(): Promise<DemoFacts> {
  for (;;) {
    const demo = readDemoFacts(dataDir)
    if (demo) return demo
    await sleep(50)
  }
}
