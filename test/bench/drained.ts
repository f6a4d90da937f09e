import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import { queueSchema } from '../../db/queue/queue-schema.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { queues } from '../../shared/jobs/definition.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import type { Child } from './child.ts'
import type { BenchData } from './data.ts'
import type { Stack } from './stack.ts'

/** The maximum delay of background writes: analytics events and delivery marks. */
const quietMs = 700
const stuckMs = 20_000

export interface Drain {
  /** Waits until the sink has received `newWebhooks` more webhooks and no queue has work left. */
  wait(newWebhooks: number): Promise<void>
  close(): Promise<void>
}

export function createDrain(stack: Stack, sink: Child, data: BenchData): Drain {
  const { countJobs, close } = openQueues(stack, data)
  let seen = 0

  /** The remaining work by queue. Webhooks that the sink has not received count, whatever their state. */
  async function left(webhooks: number): Promise<Record<string, number>> {
    return {
      webhooks: Math.max(0, webhooks - Number(await sink.request('count'))),
      rows: await data.countUnsent(),
      ...(await countJobs()),
    }
  }

  return {
    async wait(newWebhooks) {
      seen += newWebhooks
      let best = Number.POSITIVE_INFINITY
      let bestAt = Date.now()
      for (let quiet = 0; quiet < 2; ) {
        const now = await left(seen)
        const sum = Object.values(now).reduce((total, each) => total + each, 0)
        if (sum < best) bestAt = Date.now()
        best = Math.min(best, sum)
        if (Date.now() - bestAt > stuckMs) throw new Error(`nothing moves any more: ${JSON.stringify(now)}`)
        quiet = sum === 0 ? quiet + 1 : 0
        if (quiet < 2) await sleep(quiet === 1 ? quietMs : 100)
      }
    },
    close,
  }
}

interface OpenQueues {
  /** Counts the unfinished jobs by queue. A schedule always has its next job waiting, which does not count. */
  countJobs(): Promise<Record<string, number>>
  close(): Promise<void>
}

const countedQueues = queues.filter((name) => name !== 'upkeep')

/** Opens no content of jobs. */
function openQueues(stack: Stack, data: BenchData): OpenQueues {
  const secrets = createSecrets([randomBytes(32)])
  if (stack.queueIn === 'redis') {
    const bus = createRedisBroker({ redisUrl: stack.redisUrl, prefix: stack.redisPrefix, secrets }).openBus()
    return { countJobs: () => countOnBus(bus), close: () => bus.close() }
  }
  // The benchmark has the tables of SQLite.
  if (!stack.databaseUrl.startsWith('file:')) return { countJobs: () => countInPostgres(data), close: async () => {} }
  const db = openDatabase(stack.databaseUrl, { survives: 'crash' })
  const bus = createDatabaseBroker(db, secrets).openBus()
  return {
    countJobs: () => countOnBus(bus),
    async close() {
      await bus.close()
      await db.close()
    },
  }
}

async function countOnBus(bus: Bus): Promise<Record<string, number>> {
  await bus.connected
  const counts = countedQueues.map(async (name) => {
    const queue = bus.queue(name)
    const jobs = await queue.getJobCountByTypes('waiting', 'active', 'prioritized', 'delayed')
    return [name, Math.max(0, jobs - (await queue.getJobSchedulers()).length)]
  })
  return Object.fromEntries(await Promise.all(counts))
}

const jobsInPostgres = `SELECT queue || ' ' || sum(jobs) AS found FROM (
    SELECT queue, 1 AS jobs FROM ${queueSchema}.job WHERE state IN ('waiting', 'active', 'delayed')
    UNION ALL SELECT queue, -1 FROM ${queueSchema}.scheduler
  ) AS each WHERE queue = ANY ('{${countedQueues}}') GROUP BY queue`

async function countInPostgres(data: BenchData): Promise<Record<string, number>> {
  const counts = (await data.column(jobsInPostgres)).map((text) => text.split(' '))
  return Object.fromEntries(counts.map(([name = '', jobs]) => [name, Math.max(0, Number(jobs))]))
}
