import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { queuePrefix } from '../../shared/jobs/bus.ts'
import { queues } from '../../shared/jobs/definition.ts'
import { connectPatient } from '../../shared/jobs/redis.ts'
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
  const connection = connectPatient(stack.redisUrl)
  const all = queues
    .filter((name) => name !== 'upkeep')
    .map((name) => new Queue(name, { connection, prefix: queuePrefix(stack.redisPrefix, name) }))
  let seen = 0

  /** The remaining work by queue. Webhooks that the sink has not received count, whatever their state. */
  async function left(webhooks: number): Promise<Record<string, number>> {
    const counts = await Promise.all(
      all.map(async (queue) => {
        const jobs = await queue.getJobCountByTypes('waiting', 'active', 'prioritized', 'delayed')
        // A job that repeats always has its next run waiting.
        return [queue.name, Math.max(0, jobs - (await queue.getJobSchedulersCount()))]
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
    async close() {
      await Promise.all(all.map((queue) => queue.close()))
      connection.disconnect()
    },
  }
}
