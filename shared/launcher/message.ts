import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { ConsoleLinks } from './console-links.ts'
import type { DemoFacts } from './demo-facts.ts'

/**
 * Says in production where the service is and how to make the client of the platform. The text holds no secret, because output is kept in
 * logs. The command reads what `npm start` added to the environment from its files.
 */
export function productionMessage(
  { publicScheme, platformHost }: Pick<Config, 'publicScheme' | 'platformHost'>,
  { dataDir, metricsUrl, given }: { dataDir: string; metricsUrl: string; given: NodeJS.ProcessEnv },
): string {
  const added = { SERVICE_SECRET: 'service-secret', REDIS_URL: join('redis', 'url') }
  const settings = Object.entries(added)
    .filter(([name]) => !given[name])
    .map(([name, file]) => `${name}="$(cat ${quoted(join(dataDir, file))})" `)
  const node = process.execPath.startsWith(join(process.cwd(), 'node_modules')) ? 'npx node' : 'node'
  return `
Trustwright runs in production. Ctrl-C stops it.

  Platform       ${publicScheme}://${platformHost}
  Reference      ${publicScheme}://${platformHost}/docs
  Metrics        ${metricsUrl}

  In this folder and environment, this makes the client of the platform once: ${settings.join('')}${node} api/cli/init.ts
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Says outside of production where the service is, its demo client, and three commands to try. */
export function welcome(
  facts: DemoFacts,
  places: {
    factsFile: string
    metricsUrl: string
    provider: string | undefined
    consoleLinks: ConsoleLinks | undefined
  },
): string {
  const { baseUrl, clientId, clientSecret } = facts
  const provider = places.provider
    ? `\n  In the authorization code flow people sign in at ${places.provider}, as Ada or as Alan.`
    : ''
  const credentials = `-d client_id=${clientId} -d client_secret=${clientSecret}`
  return `
Trustwright runs. Ctrl-C stops it.

  Base URL       ${baseUrl}${linkLine('Console', places.consoleLinks?.demo)}
  Client id      ${clientId}
  Client secret  ${clientSecret}${linkLine('Platform', places.consoleLinks?.platform)}

  ${aboutLinks(facts, places.consoleLinks)}
  ${places.factsFile} has the clients and their secrets, also the platform's, which makes tenants.
  ${baseUrl}/docs has the reference, ${places.metricsUrl} the metrics.${provider}

Three commands to try:

  TOKEN=$(curl -s ${baseUrl}/oauth/token -d grant_type=client_credentials ${credentials} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

  curl -s ${baseUrl}/v2/credentials/compact/configurations -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"claimMappings":{"given_name":{"mapFrom":"claims.given_name"}}}'

  curl -s ${baseUrl}/.well-known/openid-credential-issuer
`
}

function linkLine(name: string, link: string | undefined): string {
  return link ? `\n  ${name.padEnd(13)}  ${link}` : ''
}

function aboutLinks({ baseUrl }: DemoFacts, links: ConsoleLinks | undefined): string {
  const command = `npm run console:link -- --tenant ${new URL(baseUrl).host}`
  return links
    ? `Each link to a console signs in once, within 15 minutes; ${command} prints another.`
    : `${command} prints a link to the console, which signs in.`
}
