import { z } from 'zod'
import type { AnalyticsEvent } from '../domain/operations/events.ts'
import { available } from './available.ts'
import type { RedisConnection } from './redis.ts'

const EventText = z.compile(
  z.object({
    id: z.string(),
    tenantId: z.string(),
    type: z.string(),
    category: z.string(),
    timestamp: z.iso.datetime(),
    requestId: z.string(),
    clientId: z.string().optional(),
    walletClientId: z.string().optional(),
    managementUserId: z.string().optional(),
    offerId: z.string().optional(),
    objectId: z.string().optional(),
    data: z.record(z.string(), z.unknown()),
    start: z.object({ timestamp: z.iso.datetime(), data: z.record(z.string(), z.unknown()) }).optional(),
  }),
)

/** Reads an entry of the list. Returns undefined if no process of this service wrote it. */
function readEvent(text: string): AnalyticsEvent | undefined {
  try {
    return EventText.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The first entries of the list. */
export interface EventBatch {
  events: AnalyticsEvent[]
  /** The sizes of the entries that are not events, in characters. */
  unreadable: number[]
  /** Number of entries, with those that are not events. */
  entries: number
  /** Number of entries that were removed from the list before these became the first ones. */
  position: number
}

/**
 * Analytics events that wait to be stored, in one Redis list, the oldest first. Only web processes of an earlier version append to it.
 * An entry stays in the list until its event is stored. Two workers can store the same event.
 */
export interface WaitingEvents {
  /** Reads the first entries and leaves them in the list. */
  read(maxEntries: number): Promise<EventBatch>
  /** Removes a batch and returns the number of remaining entries. Returns undefined if another worker has removed entries since. */
  remove(batch: EventBatch): Promise<number | undefined>
  count(): Promise<number>
  /** Returns the time of the first event. */
  waitsSince(): Promise<Date | undefined>
}

/** The list beside the queue with this prefix. */
export const waitingEventsKey = (queuePrefix: string) => `${queuePrefix}:events`

/** Removes entries only if no other worker has removed some. Otherwise the second worker would remove entries that it has not read. */
const removal = `
  if (redis.call('GET', KEYS[2]) or '0') ~= ARGV[1] then return -1 end
  redis.call('LTRIM', KEYS[1], ARGV[2], -1)
  redis.call('INCRBY', KEYS[2], ARGV[2])
  return redis.call('LLEN', KEYS[1])`

export function createWaitingEvents(redis: RedisConnection, queuePrefix: string): WaitingEvents {
  const key = waitingEventsKey(queuePrefix)
  const removedKey = `${key}:removed`

  async function readTexts(maxEntries: number): Promise<[texts: string[], position: number]> {
    const transaction = redis
      .multi()
      .lrange(key, 0, maxEntries - 1)
      .get(removedKey)
    const [texts, removed] = ((await transaction.exec()) ?? []).map(([error, answer]) => {
      if (error) throw error
      return answer
    })
    // Boundary: the answers of LRANGE and GET.
    return [texts as string[], Number(removed ?? 0)]
  }

  return {
    async read(maxEntries) {
      const [texts, position] = await available(readTexts(maxEntries))
      const batch: EventBatch = { events: [], unreadable: [], entries: texts.length, position }
      for (const text of texts) {
        const event = readEvent(text)
        if (event) batch.events.push(event)
        else batch.unreadable.push(text.length)
      }
      return batch
    },
    async remove({ entries, position }) {
      const left = Number(await available(redis.eval(removal, 2, key, removedKey, position, entries)))
      return left === -1 ? undefined : left
    },
    count: () => available(redis.llen(key)),
    async waitsSince() {
      const first = await available(redis.lindex(key, 0))
      const event = first === null ? undefined : readEvent(first)
      return event && new Date(event.timestamp)
    },
  }
}
