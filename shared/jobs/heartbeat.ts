import type { Redis } from 'ioredis'
import type { Clock } from '../clock.ts'
import type { Secrets } from '../secrets.ts'
import { clockAheadMs, timeOf } from './redis-clock.ts'

/** A signing process shows itself three times in this time. */
export const heartbeatSeconds = 6
/** A process that cannot open keys ends, and is started again by whoever runs it, after pauses that grow to five minutes. */
const troubleSeconds = 330

/** What a signing process tells of itself: that it works, or that its `KEY_ENCRYPTION_KEY` opens no stored key. */
export type SigningState = 'working' | 'closed'

/** `worker` stands for a worker process that does not sign, which tells the time of its clock alone. */
type State = SigningState | 'worker'

/** What the heartbeats of the signing processes say to a process that knows the same `SERVICE_SECRET`. */
export interface SigningStanding {
  /** One works and knows the same secret, or is of a version that proved nothing. */
  isThere: boolean
  /** One shows itself, and knows another secret. */
  hasOtherSecret: boolean
  /** One ended because its key-encryption keys opened none of the stored keys. */
  cannotOpenKeys: boolean
  /** Clocks of running signing and worker processes: how far each is ahead of Redis's clock, in milliseconds. */
  clocksAheadMs: { process: 'signing' | 'worker'; aheadMs: number }[]
}

/**
 * A hash with a field for each signing and worker process: Redis's time in milliseconds, so that an age does not depend on two clocks, its
 * state, an HMAC over both and its id, which proves that it knows the same `SERVICE_SECRET`, and how far its own clock is ahead of Redis's.
 * Earlier versions neither write nor read the last one.
 */
const processesKey = (prefix: string) => `${prefix}:signing-processes`

/**
 * What versions before wrote and read, for a roll from one to the other: theirs is `1` and proves nothing, and of ours they look only
 * whether it is there.
 */
const earlierKey = (prefix: string) => `${prefix}:signing-worker`
const earlierBeat = '1'

interface Place {
  prefix: string
  secrets: Secrets
}

/** Shows a process, by the id that it has for as long as it runs. */
export async function beat(
  redis: Redis,
  { prefix, secrets }: Place,
  id: string,
  state: State,
  clock: Clock,
): Promise<void> {
  const at = await timeOf(redis)
  const aheadMs = await clockAheadMs(redis, clock)
  const key = processesKey(prefix)
  const commands = redis.multi()
  commands.hset(key, id, `${at} ${state} ${secrets.mac(...proven(id, at, state))} ${aheadMs}`)
  commands.expire(key, troubleSeconds)
  if (state === 'working') commands.set(earlierKey(prefix), 'proven', 'EX', heartbeatSeconds)
  await commands.exec()
}

/**
 * Removes the entries of processes that have ended. A signing process that starts (`withClosed`) also removes the entries of processes that
 * could not open keys, because it reports the current state.
 */
export async function removeEndedProcesses(redis: Redis, prefix: string, { withClosed = false } = {}): Promise<void> {
  const now = await timeOf(redis)
  const key = processesKey(prefix)
  const over = Object.entries(await redis.hgetall(key)).filter(([, text]) => {
    const { at, state } = read(text)
    if (state === 'closed') return withClosed
    return !(now - at <= 10 * heartbeatSeconds * 1000)
  })
  if (over.length > 0) await redis.hdel(key, ...over.map(([id]) => id))
}

/** Removes the entry of a process that ends. */
export async function removeProcess(redis: Redis, prefix: string, id: string): Promise<void> {
  await redis.hdel(processesKey(prefix), id)
}

export async function readHeartbeats(redis: Redis, { prefix, secrets }: Place): Promise<SigningStanding> {
  const [now, processes, earlier] = await Promise.all([
    timeOf(redis),
    redis.hgetall(processesKey(prefix)),
    redis.get(earlierKey(prefix)),
  ])
  const told = Object.entries(processes).flatMap(([id, text]) => {
    const { at, state, proof, aheadMs } = read(text)
    const knownForSeconds = state === 'closed' ? troubleSeconds : heartbeatSeconds
    // Neither is a field of which no time can be read.
    if (!(now - at <= knownForSeconds * 1000)) return []
    return [{ state, aheadMs, isProven: secrets.isMac(proof, ...proven(id, at, state)) }]
  })
  const proved = told.filter(({ isProven }) => isProven)
  const known = proved.map(({ state }) => state)
  return {
    isThere: known.includes('working') || earlier === earlierBeat,
    hasOtherSecret: told.some(({ state, isProven }) => state !== 'worker' && !isProven),
    cannotOpenKeys: known.includes('closed'),
    clocksAheadMs: proved.flatMap(({ state, aheadMs }) =>
      aheadMs === undefined ? [] : [{ process: state === 'worker' ? 'worker' : 'signing', aheadMs }],
    ),
  }
}

function proven(id: string, at: number, state: string): [use: string, data: string] {
  return ['heartbeat', `${id} ${at} ${state}`]
}

function read(text: string): { at: number; state: string; proof: string; aheadMs: number | undefined } {
  const [at = '', state = '', proof = '', ahead = ''] = text.split(' ')
  return { at: Number(at), state, proof, aheadMs: /^-?\d+$/.test(ahead) ? Number(ahead) : undefined }
}
