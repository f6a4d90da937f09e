import { parseArgs } from 'node:util'

export const databases = ['sqlite', 'postgres'] as const
export type BenchDatabase = (typeof databases)[number]

export interface BenchOptions {
  /** The databases to measure, one after the other. */
  databases: readonly BenchDatabase[]
  /** Flows of each turn, at each concurrency. */
  flows: number
  concurrencies: number[]
  /** How long flows run before the measurement. V8 needs thousands of calls to optimize the code. */
  warmUpMs: number
  /** The time limit for a phase of flows. */
  withinMs: number
  revocations: number
  deliveries: number
  /** The number of messages to encrypt and to decrypt. */
  messages: number
  managementCalls: number
  /** Measures only `npm start`, without load. */
  startOnly: boolean
  /** How long the processes of `npm start` rest before their memory is read. */
  restMs: number
  /** The folder for CPU profiles of the service. */
  profileDir: string | undefined
  /** Runs the service on one core and the load generator on another. */
  pinned: boolean
  /** A commit, branch or tag to compare this version with. */
  against: string | undefined
  /** Compares this version with tracing on and off. */
  traced: boolean
  /** Compares flows through a view with flows of the tenant itself. */
  view: boolean
  /** Compares queues in the database with queues in Redis. */
  queues: boolean
  /** Compares keys in this provider with keys in the database. */
  keys: 'pkcs11' | undefined
  /** Compares this version with variants of it, in each of which one part of the work is switched off. */
  ablate: boolean
  /** Counts calls, such as promises, instead of CPU time. */
  calls: boolean
  /** Without it, flows send no webhooks. */
  webhook: boolean
  /** How often each version works in a comparison. */
  turns: number
  /** Compares two of each process with one of each. */
  two: boolean
  /** Measures the requests of one tenant while another tenant overloads the service. */
  overload: boolean
  /** Measures only flows. `webhook: false` and `ablate` imply it. */
  flowsOnly: boolean
  /** The rows of a file of a bulk issuance. */
  bulkRows: number
  /** Measures only bulk issuances. */
  bulkOnly: boolean
  /** The number of flows of a soak run, which measures only memory. */
  soakFlows: number | undefined
  /** The number of users of a filled database, which is compared with an empty one. */
  scale: number | undefined
}

/** Reads the command line, `BENCH_FLOWS` and `BENCH_CONCURRENCY` (such as `1,8,32`). */
export function readOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      flows: { type: 'string', default: process.env.BENCH_FLOWS || '1500' },
      concurrency: { type: 'string', default: process.env.BENCH_CONCURRENCY || '1,8,32' },
      'warm-up': { type: 'string', default: '25' },
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
      traced: { type: 'boolean', default: false },
      view: { type: 'boolean', default: false },
      queues: { type: 'boolean', default: false },
      keys: { type: 'string' },
      ablate: { type: 'boolean', default: false },
      calls: { type: 'boolean', default: false },
      'no-webhook': { type: 'boolean', default: false },
      overload: { type: 'boolean', default: false },
      'flows-only': { type: 'boolean', default: false },
      'bulk-rows': { type: 'string', default: '20000' },
      'bulk-only': { type: 'boolean', default: false },
      soak: { type: 'string' },
      scale: { type: 'string' },
    },
  })
  return {
    databases: values.database.split(',').map(databaseOf),
    flows: count(values.flows),
    concurrencies: values.concurrency.split(',').map(count),
    warmUpMs: count(values['warm-up']) * 1000,
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
    traced: values.traced,
    view: values.view,
    queues: values.queues,
    keys: values.keys === undefined ? undefined : keyProviderOf(values.keys),
    ablate: values.ablate,
    calls: values.calls,
    webhook: !values['no-webhook'],
    overload: values.overload,
    flowsOnly: values['flows-only'] || values['no-webhook'] || values.ablate,
    bulkRows: count(values['bulk-rows']),
    bulkOnly: values['bulk-only'],
    soakFlows: values.soak === undefined ? undefined : count(values.soak),
    scale: values.scale === undefined ? undefined : count(values.scale),
  }
}

function databaseOf(text: string): BenchDatabase {
  const database = databases.find((each) => each === text)
  if (!database) throw new Error(`${text} is none of ${databases.join(', ')}`)
  return database
}

function keyProviderOf(text: string): 'pkcs11' {
  if (text !== 'pkcs11') throw new Error(`--keys ${text}: the benchmark has only the provider pkcs11`)
  return text
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is not a positive integer`)
  return value
}
