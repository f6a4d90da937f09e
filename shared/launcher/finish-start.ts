import { get } from 'node:http'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { endLoading } from '../process/process.ts'
import type { Config } from '../settings/config.ts'
import type { ConsoleLinks } from './console-links.ts'
import { demoFactsFile, readDemoFacts } from './demo-facts.ts'
import type { environments } from './environments.ts'
import { isInstalled } from './is-installed.ts'
import { developmentMessage, productionMessage } from './message.ts'
import { printError } from './print-error.ts'
import { providerAddress } from './provider.ts'
import { duringStep } from './report-slow-step.ts'
import { stopWithinMs } from './stop-limits.ts'
import type { Supervisor } from './supervisor.ts'

/**
 * Ends a start after the processes of the service have started: starts the development provider, waits until the service is ready, prints its
 * addresses, and builds the console if its sources changed. `consoleLinks` returns what the web process has sent by then.
 */
export async function finishStart(
  supervisor: Supervisor,
  config: Config,
  { envOf, consoleLinks }: { envOf: ReturnType<typeof environments>; consoleLinks: () => ConsoleLinks | undefined },
): Promise<void> {
  const definitionOf = (name: string, command: string) => ({
    name,
    command,
    env: envOf(name),
    stopWithinMs: stopWithinMs.others,
  })
  if (providerAddress(config))
    supervisor.start(definitionOf('provider', 'node --expose-gc shared/launcher/identity-provider-process.ts'))
  let health = 'no answer'
  const getReady = waitUntilReady(config, (text) => {
    health = text
  })
  await duringStep(supervisor, () => `the processes get ready (GET /health/ready: ${health})`, getReady)
  console.log(addresses(config, consoleLinks()))
  endLoading()
  // Last, so that nothing waits for it. It does nothing if the console is already built. An installation without Vite has a built console.
  const build = 'node api/console/build.ts'
  if (isInstalled('vite'))
    await duringStep(supervisor, () => 'the console is built', supervisor.run(definitionOf(build, build))).catch(
      printError,
    )
}

/** Waits as long as it takes. The caller ends the wait when a process ends. `report` gets the last answer. */
async function waitUntilReady({ host, port }: Config, report: (health: string) => void): Promise<void> {
  const url = `http://${localHostOf(host)}:${port}/health/ready`
  for (;;) {
    const answer = await answerOf(url).catch(() => undefined) // the web process does not listen yet
    if (answer) report(answer.body)
    if (answer?.status === 200) return
    await sleep(100)
  }
}

/** The `fetch` of Node.js would load a second client into the process of the service. */
function answerOf(url: string): Promise<{ status: number | undefined; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>()
  get(url, { agent: false }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
  }).on('error', reject)
  return promise
}

/** Returns the host for connections from this machine. Undefined, `0.0.0.0` and `::` are all addresses of the machine. */
function localHostOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function addresses(config: Config, consoleLinks: ConsoleLinks | undefined): string {
  const dataDir = resolve(config.dataDir)
  const metricsUrl = `http://${localHostOf(config.opsHost)}:${config.opsPort}/metrics`
  if (config.production) return productionMessage(config, { dataDir, metricsUrl, environment: process.env })
  const facts = readDemoFacts(dataDir)
  if (!facts) throw new Error('The web process did not write demo.json.')
  const links = { metricsUrl, provider: providerAddress(config), consoleLinks }
  return developmentMessage(facts, { factsFile: demoFactsFile(dataDir), ...links })
}
