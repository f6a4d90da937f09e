import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from '../child.ts'
import { type Bench, createBench } from '../measure.ts'
import type { BenchDatabase, BenchOptions } from '../options.ts'
import { flowsPhase, revocableOf, warmUp } from '../phases.ts'
import { startStack } from '../stack.ts'
import { type Figure, figuresOf, sampled, type Work } from './figures.ts'
import type { Filled } from './filling.ts'
import { measurePages, type PageResult } from './pages.ts'

/** The same work on an empty and on a filled database, in alternating turns. */
export interface Compared {
  name: string
  empty: Work[]
  filled: Work[]
}

export interface ScaleResults {
  /** Seconds in total, and per table. Some tables are filled in parallel. */
  filledInSeconds: number
  fillSeconds: Filled
  figures: Compared[]
  /** Without calls: periodic jobs, and a reader of metrics every 15 seconds. */
  idle: Compared
  pages: PageResult[]
}

/** Long enough for the jobs that run every minute. */
const idleMs = 65_000
const scrapeMs = 15_000
const turns = 5

/**
 * Starts two services, fills one with `users` and their history, and runs the same work on both in alternating turns.
 */
export async function measureScale(
  database: BenchDatabase,
  users: number,
  options: BenchOptions,
  progress: (what: string) => void,
): Promise<ScaleResults> {
  await using stacks = new AsyncDisposableStack()
  const start = async () => {
    const stack = stacks.adopt(await startStack(database, {}), (each) => each.stop())
    return stacks.adopt(await createBench(stack), (each) => each.close())
  }
  progress(`starting twice on ${database}`)
  const [empty, filled] = [await start(), await start()]
  progress(`filling one with ${users.toLocaleString('en')} users`)
  const at = Date.now()
  const fillSeconds = await fill(filled, users, at)
  const filledInSeconds = (Date.now() - at) / 1000
  progress(`filled in ${Math.round(filledInSeconds)} s; warming up`)
  for (const bench of [empty, filled]) {
    await warmUp(bench, options)
    // Each turn revokes its own credentials, and some more to measure the time until the list has them.
    const revocable = (options.revocations + sampled) * turns
    await flowsPhase(bench, revocable, 8, turns * options.withinMs, { content: revocableOf(bench) })
  }
  progress('pages and searches')
  const pages = await measurePages(filled, at)
  const figures: Compared[] = []
  for (const figure of figuresOf(options)) {
    progress(figure.name)
    figures.push(await compared(figure, { empty, filled }))
  }
  progress('at rest')
  const [restOfEmpty, restOfFilled] = await Promise.all([atRest(empty), atRest(filled)])
  const idle = { name: 'at rest, per second', empty: [restOfEmpty], filled: [restOfFilled] }
  return { filledInSeconds, fillSeconds, figures, idle, pages }
}

async function fill({ stack, webhookId, configurationId, revocableId }: Bench, users: number, at: number) {
  const child = await startChild('./scale/fill-database.ts', { DATABASE_URL: stack.databaseUrl })
  try {
    // Boundary: the answer of fill-database.ts.
    return (await child.request({ users, webhookId, configurationId, revocableId, at })) as Filled
  } finally {
    child.stop()
  }
}

async function compared({ name, run }: Figure, { empty, filled }: { empty: Bench; filled: Bench }): Promise<Compared> {
  const results: Compared = { name, empty: [], filled: [] }
  const both = [
    { works: results.empty, bench: empty },
    { works: results.filled, bench: filled },
  ]
  for (let turn = 0; turn < turns; turn++) {
    // The order alternates.
    for (const { works, bench } of turn % 2 === 0 ? both : both.toReversed()) works.push(await run(bench))
  }
  return results
}

async function atRest(bench: Bench): Promise<Work> {
  const measured = await bench.measure(async () => {
    for (let waited = 0; waited < idleMs; waited += scrapeMs) {
      for (const origin of bench.stack.opsOrigins) await (await fetch(`${origin}/metrics`)).text()
      await sleep(scrapeMs)
    }
  })
  return { ...measured, count: measured.seconds }
}
