import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes } from './cpu.ts'
import { meanOf, measureBareKoa, measureLimits } from './limits.ts'
import { type Bench, createBench } from './measure.ts'
import { type BenchOptions, readOptions } from './options.ts'
import { flowsPhase, managementPhases, type Phase, webhooksPhase } from './phases.ts'
import { printProfile, readProfiles } from './profile.ts'
import { printRedisCommands, readRedisCommands } from './redis-commands.ts'
import { printReport, type Results } from './report.ts'
import { soak } from './soak.ts'
import { type Stack, startStack } from './stack.ts'

/**
 * `npm run bench`: the real processes of the Procfile under load, against what this machine can do at most. CPU seconds
 * are those of all our processes and Redis, everything that a flow sets off included: its webhook, its analytics.
 */
if (process.platform !== 'linux') throw new Error('The benchmark reads /proc, which only Linux has.')
const options = readOptions()
const profiled = await run(options)
if (options.profileDir && profiled) {
  console.log(`\nProfile of ${profiled.name}; the files are in ${options.profileDir}`)
  for (const profile of readProfiles(options.profileDir, profiled)) printProfile(profile, profiled.count)
}

/** Returns the phase that a profile is about, since profiles are written when processes end. */
async function run(options: BenchOptions): Promise<Phase | undefined> {
  progress('starting')
  const stack = await startStack(options)
  let bench: Bench | undefined
  try {
    bench = await createBench(stack)
    if (options.soakFlows !== undefined) return void (await soak(bench, options.soakFlows))
    const results = await measureAll(bench, stack, options)
    printReport(results)
    return results.flows.find(({ concurrency }) => concurrency > 1) ?? results.flows[0]
  } finally {
    await bench?.close()
    await stack.stop()
  }
}

async function measureAll(bench: Bench, stack: Stack, options: BenchOptions): Promise<Results> {
  progress('limits')
  const limits = await measureLimits(stack.redisUrl, stack.pids.redis ?? 0)
  progress('warming up')
  await flowsPhase(bench, options.warmUpFlows, 8, 2 * options.withinMs)
  const memoryBefore = residentMegabytes(stack.pids)
  const idle = await bench.measure(() => sleep(2000))
  const flows: Phase[] = []
  const others: Phase[] = []
  for (const concurrency of options.concurrencies) flows.push(await measureFlows(bench, stack, options, concurrency))
  for (const kind of ['DPoP', 'authorization code'] as const) {
    progress(`${kind} flows`)
    others.push(await flowsPhase(bench, options.flows, 8, options.withinMs, kind))
  }
  limits.koa = meanOf(limits.koa, await measureBareKoa())
  progress('webhooks')
  const webhooks = await webhooksPhase(bench, options.deliveries)
  progress('management')
  const management = await managementPhases(bench, options.managementCalls)
  return { limits, flows, others, webhooks, management, idle, memoryBefore, memoryAfter: residentMegabytes(stack.pids) }
}

async function measureFlows(bench: Bench, stack: Stack, options: BenchOptions, concurrency: number): Promise<Phase> {
  progress(`flows, ${concurrency} at a time`)
  const count = concurrency === 1 ? Math.ceil(options.flows / 5) : options.flows
  const before = await readRedisCommands(stack.redisUrl)
  const phase = await flowsPhase(bench, count, concurrency, options.withinMs)
  if (options.profileDir) printRedisCommands(before, await readRedisCommands(stack.redisUrl), phase)
  return phase
}

function progress(what: string): void {
  console.error(`... ${what}`)
}
