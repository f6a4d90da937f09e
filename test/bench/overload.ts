import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { type DriverResult, type Step, steps, type Target } from './driver-jobs.ts'
import { verdict } from './flow-verdicts.ts'
import { createLane } from './lane.ts'
import { type Bench, configuration, drive, tokenOf } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { flowsJob, warmUp } from './phases.ts'
import { median } from './results.ts'
import { printRows, type Row } from './rows.ts'
import type { Stack } from './stack.ts'

/** Concurrent flows of the tenant that overloads the service: ten times the requests that the service runs at once. */
const heavyFlows = 320
/** The wallets of the other tenant use about a tenth of the service. */
const light = { concurrency: 4, pauseMs: 150 }
const measureMs = 15_000
/** The time after the end of the overload in which the service may still be slow. */
const recoveryMs = 2_000
/** The greatest p99 of the other tenant, as a multiple of its p99 without the overload. */
const mostDuring = 3
const mostAfter = 1.5
/** The least part of its rate alone that the tenant with the overload keeps beside the other one. */
const leastOfAlone = 0.75

interface Round {
  /** The overload without the other tenant. */
  alone: DriverResult
  quiet: DriverResult
  during: DriverResult
  after: DriverResult
  heavy: DriverResult
}

/**
 * Measures the flows of a tenant alone, beside a tenant that overloads the service, and after the overload. Measures the
 * overload with and without the other tenant. The service has one core. Each answer must be a success. The process of the measured wallets has a high priority, if the
 * benchmark may set it, because the wait of this process for its core is not a time of the service.
 */
export async function measureOverload(
  bench: Bench,
  options: BenchOptions,
  progress: (what: string) => void,
): Promise<void> {
  const driver = await startChild('./driver.ts')
  try {
    raisePriority(driver.pid)
    const target = await addTenant(bench.stack)
    progress('warming up')
    await warmUp(bench, options)
    const job = { ...flowsJob(bench, Number.MAX_SAFE_INTEGER, 1, measureMs), ...target, ...light }
    const rounds: Round[] = []
    for (let round = 0; round < options.turns; round++) {
      progress(`overload, ${round + 1} of ${options.turns}`)
      rounds.push(await runRound(bench, () => drive(driver, job)))
    }
    print(rounds)
  } finally {
    driver.stop()
  }
}

async function runRound(bench: Bench, driveLight: () => Promise<DriverResult>): Promise<Round> {
  // The webhooks of the round before end first.
  await bench.drain.wait(0)
  const driveHeavy = () => bench.drive(flowsJob(bench, Number.MAX_SAFE_INTEGER, heavyFlows, measureMs))
  const quiet = await driveLight()
  const alone = await driveHeavy()
  const [heavy, during] = await Promise.all([driveHeavy(), driveLight()])
  await sleep(recoveryMs)
  return { alone, quiet, during, after: await driveLight(), heavy }
}

function raisePriority(pid: number): void {
  try {
    setPriority(pid, -10)
  } catch {
    console.error('Without root, the waits of the measured wallets for their core count as waits for the service.')
  }
}

/** Creates a tenant with a configuration, without a webhook. */
async function addTenant({ origin, platform }: Stack): Promise<Target & { configurationId: string }> {
  await using ofPlatform = createLane(origin, new URL(platform.baseUrl).host)
  const request = { name: 'Light', subdomain: 'light' }
  const token = await tokenOf(ofPlatform, platform)
  const { baseUrl, client } = await ofPlatform.call('POST', '/v1/tenants', request, { token })
  await using lane = createLane(origin, new URL(baseUrl).host)
  const own = await tokenOf(lane, { clientId: client.clientId, clientSecret: client.clientSecret })
  const path = '/v2/credentials/compact/configurations'
  const { id } = await lane.call('POST', path, configuration, { token: own })
  return { origin: baseUrl, origins: [origin], issuer: baseUrl, token: own, configurationId: id }
}

const parts = ['quiet', 'during', 'after'] as const

function print(rounds: Round[]): void {
  const at = (part: (typeof parts)[number], step: Step) => ({
    p50: median(rounds.map((round) => round[part].latencies[step]?.p50 ?? Number.NaN)),
    p95: median(rounds.map((round) => round[part].latencies[step]?.p95 ?? Number.NaN)),
    p99: median(rounds.map((round) => round[part].latencies[step]?.p99 ?? Number.NaN)),
  })
  const measured = steps.filter((step) => rounds[0]?.quiet.latencies[step])
  const rate = (part: keyof Round) => median(rounds.map((round) => round[part].count / round[part].seconds))
  const worst = (part: 'during' | 'after') =>
    Math.max(...measured.map((step) => at(part, step).p99 / at('quiet', step).p99))
  const ofAlone = median(rounds.map(({ heavy, alone }) => heavy.count / heavy.seconds / (alone.count / alone.seconds)))
  const row = (what: string, ratio: number, most: number) =>
    verdict(what, `${ratio.toFixed(1)} of at most ${most}`, ratio <= most)
  printRows([
    { what: `heavy tenant alone, ${heavyFlows} at a time`, perSecond: rate('alone') },
    { what: 'heavy tenant beside the light one', perSecond: rate('heavy') },
    ...parts.flatMap((part): Row[] => [
      { what: `light tenant, ${part}`, perSecond: rate(part) },
      ...measured.map((step) => ({ what: `  ${step}`, ...at(part, step) })),
    ]),
    row('greatest p99 of a step during the overload beside the quiet one', worst('during'), mostDuring),
    row(`greatest p99 of a step ${recoveryMs / 1000} s after the overload`, worst('after'), mostAfter),
    verdict(
      'rate of the heavy tenant beside the light one',
      `${ofAlone.toFixed(2)} of its rate alone, at least ${leastOfAlone}`,
      ofAlone >= leastOfAlone,
    ),
  ])
}
