import type { Redis } from 'ioredis'

export interface JobLabels {
  queue: string
  job: string
  outcome: 'done' | 'failed' | 'postponed'
}

/** How jobs of one queue, name and outcome ran, by all workers since the service began. */
export interface DurationSummary extends JobLabels {
  count: number
  sumSeconds: number
  /** How many took at most so many seconds, upper bound by upper bound. */
  atMost: [seconds: number, count: number][]
}

/**
 * How long jobs ran, summed up in Redis: workers run in other processes, often on other machines, than the one that is
 * asked for metrics, and the sums of a counter must not fall when one of them goes.
 */
export interface JobDurations {
  observe(labels: JobLabels, seconds: number): void
  read(): Promise<DurationSummary[]>
  /** Sends what is left. */
  close(): Promise<void>
}

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const flushMs = 1000

export function createJobDurations(redis: Redis, prefix: string): JobDurations {
  const key = `${prefix}:job-durations`
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
    observe({ queue, job, outcome }, seconds) {
      const labels = `${queue} ${job} ${outcome}`
      add(`${labels} count`, 1)
      add(`${labels} micros`, Math.round(seconds * 1e6))
      const bound = bounds.find((each) => seconds <= each)
      if (bound !== undefined) add(`${labels} ${bound}`, 1)
      timer ??= setTimeout(flush, flushMs).unref()
    },
    async read() {
      return summaries(await redis.hgetall(key))
    },
    close: flush,
  }
}

/** Fields are `queue job outcome what`, where what is `count`, `micros` or the upper bound that an observation fell under. */
function summaries(fields: Record<string, string>): DurationSummary[] {
  const names = Object.keys(fields).filter((field) => field.endsWith(' count'))
  return names.sort().map((field) => {
    const labels = field.slice(0, -' count'.length)
    const [queue = '', job = '', outcome = ''] = labels.split(' ')
    const value = (what: string | number) => Number(fields[`${labels} ${what}`] ?? 0)
    let total = 0
    return {
      queue,
      job,
      outcome: outcomeOf(outcome),
      count: value('count'),
      sumSeconds: value('micros') / 1e6,
      atMost: bounds.map((bound) => {
        total += value(bound)
        return [bound, total]
      }),
    }
  })
}

function outcomeOf(text: string): JobLabels['outcome'] {
  return text === 'failed' || text === 'postponed' ? text : 'done'
}
