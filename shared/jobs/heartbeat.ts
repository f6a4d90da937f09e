import type { Redis } from 'ioredis'
import type { Secrets } from '../secrets.ts'

/** A signing process shows itself three times in this time. */
export const heartbeatSeconds = 6
/** A process that cannot open keys ends, and is started again by whoever runs it, after pauses that grow to five minutes. */
const troubleSeconds = 330

/** What a signing process tells of itself: that it works, or that its `KEY_ENCRYPTION_KEY` opens no stored key. */
export type SigningState = 'working' | 'closed'

/** What the heartbeats of the signing processes say to a process that knows the same `SERVICE_SECRET`. */
export interface SigningStanding {
  /** One works and knows the same secret, or is of a version that proved nothing. */
  isThere: boolean
  /** One shows itself, and knows another secret. */
  hasOtherSecret: boolean
  /** One ended because its key-encryption keys opened none of the stored keys. */
  cannotOpenKeys: boolean
}

/**
 * A hash with a field for each signing process: Redis's time in milliseconds, so that no two clocks are compared, its state, and an HMAC
 * over both and its id, which proves that it knows the same `SERVICE_SECRET`.
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

/** Shows a signing process, by the id that it has for as long as it runs. */
export async function beat(redis: Redis, { prefix, secrets }: Place, id: string, state: SigningState): Promise<void> {
  const at = await timeOf(redis)
  const key = processesKey(prefix)
  const commands = redis.multi()
  commands.hset(key, id, `${at} ${state} ${secrets.mac(...proven(id, at, state))}`)
  commands.expire(key, troubleSeconds)
  if (state === 'working') commands.set(earlierKey(prefix), 'proven', 'EX', heartbeatSeconds)
  await commands.exec()
}

/** Takes away what processes left that are gone, and that some could not open keys: who comes now tells how it is. */
export async function forgetOthers(redis: Redis, prefix: string): Promise<void> {
  const now = await timeOf(redis)
  const key = processesKey(prefix)
  const over = Object.entries(await redis.hgetall(key)).filter(([, text]) => {
    const { at, state } = read(text)
    return state !== 'working' || !(now - at <= 10 * heartbeatSeconds * 1000)
  })
  if (over.length > 0) await redis.hdel(key, ...over.map(([id]) => id))
}

export async function readHeartbeats(redis: Redis, { prefix, secrets }: Place): Promise<SigningStanding> {
  const [now, processes, earlier] = await Promise.all([
    timeOf(redis),
    redis.hgetall(processesKey(prefix)),
    redis.get(earlierKey(prefix)),
  ])
  const told = Object.entries(processes).flatMap(([id, text]) => {
    const { at, state, proof } = read(text)
    const knownForSeconds = state === 'working' ? heartbeatSeconds : troubleSeconds
    // Neither is a field of which no time can be read.
    if (!(now - at <= knownForSeconds * 1000)) return []
    return [{ state, isProven: secrets.isMac(proof, ...proven(id, at, state)) }]
  })
  const known = told.filter(({ isProven }) => isProven).map(({ state }) => state)
  return {
    isThere: known.includes('working') || earlier === earlierBeat,
    hasOtherSecret: told.length > known.length,
    cannotOpenKeys: known.includes('closed'),
  }
}

function proven(id: string, at: number, state: string): [use: string, data: string] {
  return ['heartbeat', `${id} ${at} ${state}`]
}

function read(text: string): { at: number; state: string; proof: string } {
  const [at = '', state = '', proof = ''] = text.split(' ')
  return { at: Number(at), state, proof }
}

async function timeOf(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}
