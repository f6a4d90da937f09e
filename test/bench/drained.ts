import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
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
  const { bus, close } = openQueues(stack)
  const names = queues.filter((name) => name !== 'upkeep')
  let seen = 0

  /** The remaining work by queue. Webhooks that the sink has not received count, whatever their state. */
  async function left(webhooks: number): Promise<Record<string, number>> {
    await bus.connected
    const counts = await Promise.all(
      names.map(async (name) => {
        const queue = bus.queue(name)
        const jobs = await queue.getJobCountByTypes('waiting', 'active', 'prioritized', 'delayed')
        // A job that repeats always has its next run waiting.
        return [name, Math.max(0, jobs - (await queue.getJobSchedulers()).length)]
      }),
    )
    return {
      webhooks: Math.max(0, webhooks - Number(await sink.request('count'))),
      rows: await data.countUnsent(),
      ...Object.fromEntries(counts),
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

/** Opens the queues to count their jobs. It opens no content. */
function openQueues(stack: Stack): { bus: Bus; close(): Promise<void> } {
  const secrets = createSecrets([randomBytes(32)])
  if (stack.queueIn === 'redis') {
    const bus = createRedisBroker({ redisUrl: stack.redisUrl, prefix: stack.redisPrefix, secrets }).openBus()
    return { bus, close: () => bus.close() }
  }
  const db = openDatabase(stack.databaseUrl, { survives: 'crash' })
  const bus = createDatabaseBroker(db, secrets).openBus()
  return {
    bus,
    async close() {
      await bus.close()
      await db.close()
    },
  }
}
