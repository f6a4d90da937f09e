import type { Redis } from 'ioredis'

/** By job. */
export type JobDurations = Durations<JobLabels>
export const jobLabels = ['queue', 'job', 'outcome'] as const
export interface JobLabels {
  queue: string
  job: string
  outcome: 'done' | 'failed' | 'postponed'
}

/** Of status lists; a publication that another one came before is `late`, and one that had nothing to show `unneeded`. */
export type PublicationDurations = Durations<PublicationLabels>
export const publicationLabels = ['outcome'] as const
export interface PublicationLabels {
  outcome: 'published' | 'late' | 'unneeded' | 'failed'
}

/** How long things of the same labels took, of all workers since the service began. */
export type DurationSummary<Labels> = Labels & {
  count: number
  sumSeconds: number
  /** How many took at most so many seconds, upper bound by upper bound. */
  atMost: [seconds: number, count: number][]
}

/**
 * How long things took, summed up in Redis: workers run in other processes, often on other machines, than the one that is
 * asked for metrics, and the sums of a counter must not fall when one of them goes.
 */
export interface Durations<Labels> {
  observe(labels: Labels, seconds: number): void
  read(): Promise<DurationSummary<Labels>[]>
  /** Sends what is left. */
  close(): Promise<void>
}

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const flushMs = 1000

/** What is summed up under a key of Redis. The values of labels are words. */
export function createDurations<Labels extends { [Name in keyof Labels]: string }>(
  redis: Redis,
  key: string,
  names: readonly (keyof Labels)[],
): Durations<Labels> {
  let pending = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const add = (field: string, amount: number) => pending.set(field, (pending.get(field) ?? 0) + amount)

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const sent = pending
    pending = new Map()
    if (sent.size === 0) return
    const commands = redis.multi()
    for (const [field, amount] of sent) commands.hincrby(key, field, amount)
    await commands.exec().catch(() => {
      for (const [field, amount] of sent) add(field, amount) // Redis is away: with the next ones
    })
  }

  return {
    observe(labels, seconds) {
      const words = names.map((name) => labels[name]).join(' ')
      add(`${words} count`, 1)
      add(`${words} micros`, Math.round(seconds * 1e6))
      const bound = bounds.find((each) => seconds <= each)
      if (bound !== undefined) add(`${words} ${bound}`, 1)
      timer ??= setTimeout(flush, flushMs).unref()
    },
    async read() {
      return summaries(await redis.hgetall(key), names)
    },
    close: flush,
  }
}

/** Fields are the labels' values and what: `count`, `micros` or the upper bound that an observation fell under. */
function summaries<Labels>(
  fields: Record<string, string>,
  names: readonly (keyof Labels)[],
): DurationSummary<Labels>[] {
  const found = Object.keys(fields).filter((field) => field.endsWith(' count'))
  return found.sort().map((field) => {
    const words = field.slice(0, -' count'.length)
    const values = words.split(' ')
    const value = (what: string | number) => Number(fields[`${words} ${what}`] ?? 0)
    let total = 0
    return {
      // Boundary: `observe` wrote them.
      ...(Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])) as Labels),
      count: value('count'),
      sumSeconds: value('micros') / 1e6,
      atMost: bounds.map((bound) => {
        total += value(bound)
        return [bound, total]
      }),
    }
  })
}
