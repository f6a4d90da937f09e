import { Redis, type RedisOptions } from 'ioredis'
import { Misconfigured, reasonOf } from '../process/dependency.ts'
import type { RedisHost } from '../settings/redis-hosts.ts'
import { isSentinelUrl, parseSentinelUrl, type SentinelAddress } from '../settings/redis-sentinel-url.ts'
import { isRefusal } from './redis-cluster.ts'

/** A Sentinel of a host that ended is left after this time, and the next one is asked. */
const sentinelTimeoutMs = 2_000

type Options = Omit<RedisOptions, 'replyMapping' | 'protocol'>

/** Opens a connection to the master that the Sentinels name. It follows a failover. */
export function openSentinel(url: string, options: Options): Redis {
  const { sentinels, master, username, password, isTls, ...address } = addressOfSentinels(url)
  const { sentinelUsername, sentinelPassword } = address
  return new Redis({
    ...options,
    ...{ sentinels, name: master },
    ...{ connectTimeout: sentinelTimeoutMs, sentinelCommandTimeout: sentinelTimeoutMs },
    sentinelRetryStrategy: (times: number) => options.retryStrategy?.(times) ?? null,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(isTls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  })
}

type SentinelState = 'usable' | 'withoutQuorum' | 'withoutMaster' | 'refuses' | 'noSentinel' | { reason: string }

/** Resolves if a Sentinel knows the master. Throws Misconfigured if waiting does not help. */
export async function reachSentinels(url: string): Promise<void> {
  const { master } = addressOfSentinels(url)
  const states = await readStates(url)
  if (states.some(({ state }) => state === 'usable' || state === 'withoutQuorum')) return
  const refusing = states.find(({ state }) => state === 'refuses')
  if (refusing)
    throw new Misconfigured(
      `The Sentinel at ${refusing.address} refuses sentinelUsername or sentinelPassword of REDIS_URL`,
    )
  const wrong = states.find(({ state }) => state === 'noSentinel')
  if (wrong)
    throw new Misconfigured(
      `REDIS_URL has the scheme of Sentinels, but Redis at ${wrong.address} is no Sentinel. Use redis:// or rediss://, or the port of a Sentinel (26379).`,
    )
  const unknowing = states.find(({ state }) => state === 'withoutMaster')
  if (unknowing)
    throw new Misconfigured(
      `The Sentinel at ${unknowing.address} knows no master ${master}. Correct the name at the end of REDIS_URL.`,
    )
  throw new Error(states.map(({ address, state }) => `${address}: ${wordOf(state)}`).join(', '))
}

const cachedForMs = 10_000

/**
 * Returns a function that returns a sentence for each fault of the Sentinels that the operator must mend. Reads them at most once in 10 s. It
 * returns nothing for a Redis without Sentinels.
 */
export function createSentinelCheck(url: string): () => Promise<string[]> {
  if (!isSentinelUrl(url)) return async () => []
  const { master } = addressOfSentinels(url)
  let cached: { faults: Promise<string[]>; until: number } | undefined
  return () => {
    if (cached && performance.now() <= cached.until) return cached.faults
    const faults = readStates(url).then((states) => faultsOf(states, master))
    cached = { faults, until: performance.now() + cachedForMs }
    return faults
  }
}

function faultsOf(states: { address: string; state: SentinelState }[], master: string): string[] {
  return states.flatMap(({ address, state }) => {
    if (state === 'usable') return []
    if (state === 'withoutMaster') return [`The Sentinel at ${address} knows no master ${master}`]
    if (state === 'withoutQuorum')
      return [`The Sentinel at ${address} reaches too few Sentinels for a failover of ${master}: start the others`]
    if (state === 'refuses') return [`The Sentinel at ${address} refuses sentinelUsername or sentinelPassword`]
    return [`The Sentinel at ${address} does not answer (${wordOf(state)})`]
  })
}

function wordOf(state: SentinelState): string {
  return typeof state === 'string' ? state : state.reason
}

async function readStates(url: string): Promise<{ address: string; state: SentinelState }[]> {
  const address = addressOfSentinels(url)
  return Promise.all(
    address.sentinels.map(async (sentinel) => ({
      address: `${sentinel.host}:${sentinel.port}`,
      state: await readState(sentinel, address),
    })),
  )
}

async function readState(sentinel: RedisHost, address: SentinelAddress): Promise<SentinelState> {
  const { master, sentinelUsername, sentinelPassword, isTls } = address
  const redis = new Redis({
    ...sentinel,
    ...{ lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null },
    ...{ connectTimeout: sentinelTimeoutMs, commandTimeout: sentinelTimeoutMs, enableReadyCheck: false },
    ...(sentinelUsername !== undefined && { username: sentinelUsername }),
    ...(sentinelPassword !== undefined && { password: sentinelPassword }),
    ...(isTls && { tls: {} }),
  })
  let firstError: unknown
  redis.on('error', (error) => {
    firstError ??= error
  })
  try {
    await redis.connect()
    if ((await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master)) === null) return 'withoutMaster'
    await redis.call('SENTINEL', 'CKQUORUM', master).catch(allowRefusal)
    return 'usable'
  } catch (error) {
    const reason = firstError ?? error
    if (isRefusal(reason)) return 'refuses'
    const text = reason instanceof Error ? reason.message : ''
    if (text.startsWith('NOQUORUM') || text.startsWith('NOGOODSLAVE')) return 'withoutQuorum'
    return /unknown command/i.test(text) ? 'noSentinel' : { reason: reasonOf(reason) }
  } finally {
    redis.disconnect()
  }
}

/** A user of the Sentinels does not need the right to ask for the quorum, only to ask for the master. */
function allowRefusal(error: unknown): void {
  if (!(error instanceof Error && error.message.startsWith('NOPERM'))) throw error
}

function addressOfSentinels(url: string): SentinelAddress {
  const address = parseSentinelUrl(url)
  if (!address) throw new Error('the URL of the Sentinels was not checked')
  return address
}
