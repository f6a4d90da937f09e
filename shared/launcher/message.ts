import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import type { ConsoleLinks } from './console-links.ts'
import type { DemoFacts } from './demo-facts.ts'

/**
 * Returns the message of a start in production: the addresses, and the command that creates the client of the platform. It contains no
 * secret, because logs keep the output. The command reads the values that `npm start` added to the environment from their files.
 */
export function productionMessage(
  { publicScheme, platformHost, queueIn }: Pick<Config, 'publicScheme' | 'platformHost' | 'queueIn'>,
  { dataDir, metricsUrl, environment }: { dataDir: string; metricsUrl: string; environment: NodeJS.ProcessEnv },
): string {
  const added = {
    SERVICE_SECRET: 'service-secret',
    ...(queueIn === 'redis' && { REDIS_URL: join('redis', 'url') }),
  }
  const settings = Object.entries(added)
    .filter(([name, file]) => !environment[name] || environment[name] === contentOf(join(dataDir, file)))
    .map(([name, file]) => `${name}="$(cat ${quoted(join(dataDir, file))})" `)
  const node = process.execPath.startsWith(join(process.cwd(), 'node_modules')) ? 'npx node' : 'node'
  return `
Trustwright runs in production. Ctrl-C stops it.

  Platform       ${publicScheme}://${platformHost}
  Reference      ${publicScheme}://${platformHost}/docs
  Metrics        ${metricsUrl}

  To create the client of the platform, run once in this folder and environment: ${settings.join('')}${node} api/cli/init.ts
`
}

function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns the message of a start in development: the addresses, the demo client, and three commands to try. */
export function developmentMessage(
  facts: DemoFacts,
  {
    factsFile,
    metricsUrl,
    provider,
    consoleLinks,
  }: {
    factsFile: string
    metricsUrl: string
    provider: string | undefined
    consoleLinks: ConsoleLinks | undefined
  },
): string {
  const { baseUrl, clientId, clientSecret } = facts
  const providerLine = provider
    ? `\n  In the authorization code flow, people sign in at ${provider} as Ada or Alan.`
    : ''
  const credentials = `-d client_id=${clientId} -d client_secret=${clientSecret}`
  return `
Trustwright runs. Ctrl-C stops it.

  Base URL       ${baseUrl}${linkLine('Console', consoleLinks?.demo)}
  Client id      ${clientId}
  Client secret  ${clientSecret}${linkLine('Platform', consoleLinks?.platform)}

  ${aboutLinks(facts, consoleLinks)}
  ${factsFile} has the clients and their secrets. The client of the platform creates tenants.
  ${baseUrl}/docs has the reference, ${metricsUrl} the metrics.${providerLine}

Three commands to try:

  TOKEN=$(curl -s ${baseUrl}/oauth/token -d grant_type=client_credentials ${credentials} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

  curl -s ${baseUrl}/v2/credentials/compact/configurations -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"display":[{"name":"Member card"}],"claimMappings":{"given_name":{"mapFrom":"claims.given_name"}}}'

  curl -s ${baseUrl}/.well-known/openid-credential-issuer
`
}

function linkLine(name: string, link: string | undefined): string {
  return link ? `\n  ${name.padEnd(13)}  ${link}` : ''
}

function aboutLinks({ baseUrl }: DemoFacts, links: ConsoleLinks | undefined): string {
  const command = `npm run console:link -- --tenant ${new URL(baseUrl).host}`
  return links
    ? `Each link signs in to a console once, within 15 minutes. ${command} prints another.`
    : `${command} prints a link that signs in to the console.`
}
