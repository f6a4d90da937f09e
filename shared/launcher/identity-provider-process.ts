import { createServer } from 'node:http'
import { useCompileCache } from '../process/compile-cache.ts'
import { exitIfMisconfigured } from '../process/dependency.ts'
import { endLoading } from '../process/process.ts'
import { readDataLocations } from '../settings/config.ts'
import { readDemoFacts } from './demo-facts.ts'
import { readIdentityProviderFacts } from './identity-provider-facts.ts'

/**
 * `node shared/launcher/identity-provider-process.ts`: the development provider of `npm start`. It listens on loopback, and has the demo
 * tenant as its only client.
 */
const { dataDir } = exitIfMisconfigured(() => readDataLocations(process.env))
useCompileCache(dataDir)
const { createIdentityProvider } = await import('./identity-provider.ts')
const facts = readIdentityProviderFacts(dataDir)
const demo = readDemoFacts(dataDir)
if (!facts || !demo) throw new Error('The files of the demo are missing in DATA_DIR. `npm start` creates them.')

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
process.on('disconnect', () => process.exit(0))
