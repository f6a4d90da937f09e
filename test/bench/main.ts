import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ablate } from './ablate.ts'
import { compareKeys, compareQueues, compareTraced, compareVersions, compareViews } from './against.ts'
import { countAllocations } from './allocations.ts'
import { batchPhases } from './batches.ts'
import { bulkPhases } from './bulk.ts'
import { measureCalls } from './calls.ts'
import { residentMegabytes } from './cpu.ts'
import { countsPerFlow, readDatabaseCounts } from './database-counts.ts'
import { startFloors } from './floors/floors.ts'
import { type Limits, meanOf, measureBareKoa, measureLimits } from './limits.ts'
import { type Bench, createBench } from './measure.ts'
import { messagePhases } from './messages.ts'
import { mobilePhases } from './mobile.ts'
import { measureNpmStarts, printNpmStarts } from './npm-start.ts'
import { type BenchDatabase, type BenchOptions, readOptions } from './options.ts'
import { measureOverload } from './overload.ts'
import { alternated, flowsPhase, managementPhases, type Phase, revocableOf, warmUp, webhooksPhase } from './phases.ts'
import { moveToCores } from './pinned.ts'
import { printProfile, readProfiles } from './profile.ts'
import { printRedisCommands, readRedisCommands } from './redis-commands.ts'
import { printBulk, printFlows, printReport } from './report.ts'
import { type Beside, type FlowResults, type FlowTurn, middleTurn } from './results.ts'
import { printScale } from './scale/report.ts'
import { measureScale } from './scale/scale.ts'
import { sdJwtPhases } from './sd-jwt.ts'
import { soak } from './soak.ts'
import { ownRoot, type Stack, startStack } from './stack.ts'
import { printStatements, readStatements } from './statements.ts'
import { statusPhases } from './status.ts'
import { trustedListPhases } from './trusted-lists.ts'
import { compareTwo } from './two.ts'
import { readWorkCounts, workPerFlow } from './work-counts.ts'

/**
 * `npm run bench`: measures the processes of the Procfile under load and compares them with the limits of this machine.
 * CPU seconds are those of all processes of the service and of Redis. They include the webhooks and analytics of a
 * flow.
 */
if (process.platform !== 'linux') throw new Error('The benchmark reads /proc, which only Linux has.')
const options = readOptions()
/** The median turn counts, because the load of the machine varies. A profile is of one turn. */
const flowTurns = options.profileDir ? 1 : options.turns
if (options.against !== undefined) await compareVersions(options.against, options)
else if (options.traced) await compareTraced(options)
else if (options.view) await compareViews(options)
else if (options.queues) await compareQueues(options)
else if (options.keys) await compareKeys(options)
else if (options.ablate) await ablate(options)
else if (options.calls) await measureCalls(options)
else if (options.two) await compareTwo(options)
else await measureAll()

async function measureAll(): Promise<void> {
  printVersions()
  const isPartial = options.flowsOnly || options.bulkOnly || options.overload
  if (options.soakFlows === undefined && options.scale === undefined && !isPartial) {
    progress('npm start, twice')
    printNpmStarts(await measureNpmStarts(options.restMs))
  }
  for (const database of options.startOnly ? [] : options.databases) await measure(database)
}

/** A release shows which commit was measured (docs/release.md). */
function printVersions(): void {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: ownRoot, encoding: 'utf8' }).stdout?.trim()
  const commit = git('rev-parse', 'HEAD')
  if (commit) console.log(`Commit ${commit}${git('status', '--porcelain') ? '-modified' : ''}`)
  console.log(`Node.js ${process.version}`)
}

async function measure(database: BenchDatabase): Promise<void> {
  if (options.scale !== undefined) {
    const results = await measureScale(database, options.scale, options, progress)
    console.log(`\nOn ${database}, with ${options.scale.toLocaleString('en')} users`)
    return printScale(results)
  }
  const profileDir = options.profileDir && join(options.profileDir, database)
  const profiled = await run(database, { ...options, profileDir })
  if (!profileDir || !profiled) return
  console.log(`\nProfile of ${profiled.name}; the files are in ${profileDir}`)
  for (const profile of readProfiles(profileDir, profiled)) printProfile(profile, profiled.count)
}

/** Returns the phase that the profile describes. Processes write profiles when they end. */
async function run(database: BenchDatabase, options: BenchOptions): Promise<Phase | undefined> {
  progress(`starting on ${database}`)
  if (options.pinned || options.overload) moveToCores('0')
  const stack = await startStack(database, options)
  if (options.pinned || options.overload) moveToCores('1')
  let bench: Bench | undefined
  try {
    bench = await createBench(stack, options)
    if (options.soakFlows !== undefined) return void (await soak(bench, options.soakFlows))
    if (options.overload) return void (await measureOverload(bench, options, progress))
    progress('limits')
    const limits = await measureLimits(stack.redisUrl, stack.pids.redis ?? 0)
    if (options.bulkOnly) return void (await measureBulk(bench, database, limits))
    const besideKoa = bracketedByKoa(limits.koa)
    const flows = await measureAllFlows(bench, stack, options, besideKoa)
    const others = options.flowsOnly ? undefined : await measureOthers(bench, stack, options, besideKoa)
    console.log(`\nOn ${database}`)
    if (others) printReport({ database, limits, ...flows, ...others })
    else printFlows(database, flows)
    return flows.flows.find(({ concurrency }) => concurrency > 1) ?? flows.flows[0]
  } finally {
    await bench?.close()
    await stack.stop()
  }
}

async function measureBulk(bench: Bench, database: BenchDatabase, limits: Limits): Promise<void> {
  progress('warming up')
  await warmUp(bench, options)
  progress('bulk issuances')
  const results = await bulkPhases(bench, options)
  console.log(`\nOn ${database}`)
  printBulk(database, results, limits)
}

async function measureAllFlows(
  bench: Bench,
  stack: Stack,
  options: BenchOptions,
  besideKoa: BesideKoa,
): Promise<FlowResults> {
  progress('warming up')
  await warmUp(bench, options)
  const memoryBefore = residentMegabytes(stack.pids)
  const idle = await bench.measure(() => sleep(2000))
  const floors = await startFloors(bench, options)
  const all: FlowTurn[] = []
  for (let turn = 0; turn < flowTurns; turn++) {
    for (const concurrency of options.concurrencies) {
      const phase = await besideKoa(() => measureFlows(bench, stack, options, concurrency))
      all.push({ ...phase, floors: await floors.measure(concurrency) })
    }
  }
  floors.stop()
  const flows = options.concurrencies.map((each) => middleTurn(all.filter(({ concurrency }) => concurrency === each)))
  return { flows, idle, memoryBefore }
}

async function measureOthers(bench: Bench, stack: Stack, options: BenchOptions, besideKoa: BesideKoa) {
  const others: Beside<Phase>[] = []
  for (const kind of ['DPoP', 'authorization code'] as const) {
    progress(`${kind} flows`)
    others.push(await besideKoa(() => flowsPhase(bench, options.flows, 8, options.withinMs, { flow: kind })))
  }
  progress('revocable flows')
  const revocable = await alternated(bench, options, revocableOf(bench))
  progress('mobile flows')
  const mobile = await mobilePhases(bench, options)
  progress('SD-JWT flows')
  const sdJwt = await sdJwtPhases(bench, options)
  progress('batches')
  const batches = await batchPhases(bench, options)
  progress('status lists')
  const status = await statusPhases(bench, options.revocations)
  progress('trusted lists')
  const trustedLists = await trustedListPhases(bench)
  progress('bulk issuances')
  const bulk = await bulkPhases(bench, options)
  progress('webhooks')
  const webhooks = await besideKoa(() => webhooksPhase(bench, options.deliveries))
  progress('messages')
  const messages = await messagePhases(bench, options.messages)
  progress('management')
  const { koa, phases: management } = await besideKoa(async () => ({
    phases: await managementPhases(bench, options.managementCalls),
  }))
  return {
    others,
    revocable,
    mobile,
    sdJwt,
    batches,
    status,
    trustedLists,
    bulk,
    webhooks,
    messages,
    management: management.map((phase) => ({ ...phase, koa })),
    memoryAfter: residentMegabytes(stack.pids),
  }
}

type BesideKoa = <Result extends object>(work: () => Promise<Result>) => Promise<Beside<Result>>

/** Compares each phase with the mean of Koa right before and right after it, because the load of the machine varies. */
function bracketedByKoa(first: Limits['koa']): BesideKoa {
  let before = first
  return async (work) => {
    const result = await work()
    const after = await measureBareKoa()
    const koa = meanOf(before, after)
    before = after
    return { ...result, koa }
  }
}

async function measureFlows(bench: Bench, stack: Stack, options: BenchOptions, concurrency: number): Promise<Phase> {
  progress(`flows, ${concurrency} at a time`)
  const before = await readRedisCommands(stack.redisUrl)
  const countsBefore = await readDatabaseCounts(stack.databaseUrl)
  const statementsBefore = await readStatements(stack.databaseUrl)
  const workBefore = await readWorkCounts(stack.pids, stack.redisUrl)
  const readAllocations = await countAllocations(stack.nodeProcesses)
  const measured = await flowsPhase(bench, options.flows, concurrency, options.withinMs)
  const work = workPerFlow(workBefore, await readWorkCounts(stack.pids, stack.redisUrl), measured.count)
  const phase = { ...measured, work, allocated: await readAllocations(measured.count) }
  const counts = await readDatabaseCounts(stack.databaseUrl)
  if (options.profileDir) {
    printRedisCommands(before, await readRedisCommands(stack.redisUrl), phase)
    printStatements(statementsBefore, await readStatements(stack.databaseUrl), phase)
  }
  if (!countsBefore || !counts) return phase
  return { ...phase, database: countsPerFlow(countsBefore, counts, phase.count) }
}

function progress(what: string): void {
  console.error(`... ${what}`)
}
