import { parseArgs } from 'node:util'

export const databases = ['sqlite', 'postgres'] as const
export type BenchDatabase = (typeof databases)[number]

export interface BenchOptions {
  /** Measured one after the other. */
  databases: readonly BenchDatabase[]
  /** Flows of each turn, at each concurrency. */
  flows: number
  concurrencies: number[]
  /** Flows before anything is measured: V8 takes thousands of calls until its code is as fast as it gets. */
  warmUpFlows: number
  /** No phase of flows starts another one after so long; warming up may take twice as long. */
  withinMs: number
  revocations: number
  deliveries: number
  /** To encrypt, and as many to decrypt. */
  messages: number
  managementCalls: number
  /** Whether `npm start` alone is measured, and nothing under load. */
  startOnly: boolean
  /** For how long what `npm start` runs is left alone before its memory is read. */
  restMs: number
  /** Where the CPU profiles of our processes go. */
  profileDir: string | undefined
  /** Whether everything of ours has one core, and the load generator another. */
  pinned: boolean
  /** A commit, branch or tag to compare this version with. */
  against: string | undefined
  /** How often each version works in a comparison. */
  turns: number
  /** Whether two of each process are compared with one. */
  two: boolean
  /** Whether only flows are measured. */
  flowsOnly: boolean
  /** Flows of a soak run, which measures memory alone. */
  soakFlows: number | undefined
  /** Users of a database that is filled, and measured beside an empty one. */
  scale: number | undefined
}

/** From the command line, and from `BENCH_FLOWS` and `BENCH_CONCURRENCY` (such as `1,8,32`). */
export function readOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      flows: { type: 'string', default: process.env.BENCH_FLOWS || '1500' },
      concurrency: { type: 'string', default: process.env.BENCH_CONCURRENCY || '1,8,32' },
      'warm-up': { type: 'string', default: '6000' },
      within: { type: 'string', default: '15' },
      revocations: { type: 'string', default: '1000' },
      deliveries: { type: 'string', default: process.env.BENCH_DELIVERIES || '2000' },
      messages: { type: 'string', default: '1000' },
      'management-calls': { type: 'string', default: '3000' },
      database: { type: 'string', default: process.env.BENCH_DATABASE || databases.join(',') },
      'start-only': { type: 'boolean', default: false },
      rest: { type: 'string', default: '60' },
      profile: { type: 'boolean', default: false },
      'profile-dir': { type: 'string', default: 'bench-profiles' },
      pinned: { type: 'boolean', default: false },
      against: { type: 'string' },
      turns: { type: 'string', default: '5' },
      two: { type: 'boolean', default: false },
      'flows-only': { type: 'boolean', default: false },
      soak: { type: 'string' },
      scale: { type: 'string' },
    },
  })
  return {
    databases: values.database.split(',').map(databaseOf),
    flows: count(values.flows),
    concurrencies: values.concurrency.split(',').map(count),
    warmUpFlows: count(values['warm-up']),
    withinMs: count(values.within) * 1000,
    revocations: count(values.revocations),
    deliveries: count(values.deliveries),
    messages: count(values.messages),
    managementCalls: count(values['management-calls']),
    startOnly: values['start-only'],
    restMs: count(values.rest) * 1000,
    profileDir: values.profile ? values['profile-dir'] : undefined,
    pinned: values.pinned,
    against: values.against,
    turns: count(values.turns),
    two: values.two,
    flowsOnly: values['flows-only'],
    soakFlows: values.soak === undefined ? undefined : count(values.soak),
    scale: values.scale === undefined ? undefined : count(values.scale),
  }
}

function databaseOf(text: string): BenchDatabase {
  const database = databases.find((each) => each === text)
  if (!database) throw new Error(`${text} is none of ${databases.join(', ')}`)
  return database
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is not a number of things`)
  return value
}
