import type { Clock } from '../clock.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { RedisConnection } from './redis.ts'
import { clockAheadMs, timeOf } from './redis-clock.ts'

/** A heartbeat is valid for this time. A signing process writes three in it. */
export const heartbeatSeconds = 6
/** A process that cannot open keys exits. Its supervisor restarts it, after pauses that grow to five minutes. */
const closedSeconds = 330

/** The state of a signing process: it works, or its `KEY_ENCRYPTION_KEY` opens no stored key. */
type SigningState = 'working' | 'closed'

/** `worker` is a worker process that does not sign. Its heartbeat has only the time of its clock. */
export type ProcessState = SigningState | 'worker'

/** A provider of private keys besides the software, as a signing process sees it. */
export interface KeyProviderState {
  /** `pkcs11` or `remote:<name>`. */
  name: string
  /** Whether it answers each signing process. */
  isUp: boolean
  algorithms: readonly string[]
}

/** The status of the signing processes, as read by a process with a `SERVICE_SECRET` of its own. */
export interface SigningStatus {
  /** A process works and has the same secret, or is of a version without proofs. */
  isRunning: boolean
  /** A process runs with another secret. */
  hasOtherSecret: boolean
  /** A process exited because its key-encryption keys opened none of the stored keys. */
  cannotOpenKeys: boolean
  /** The clocks of running signing and worker processes: how far each is ahead of the clock of Redis, in milliseconds. */
  clocksAheadMs: { process: 'signing' | 'worker'; aheadMs: number }[]
  /** The providers of private keys of all running signing processes, by name. */
  keyProviders: KeyProviderState[]
}

/**
 * A hash with a field for each signing and worker process. The value has five parts:
 * the time of Redis in milliseconds, so that an age does not depend on two clocks; the state;
 * an HMAC over both and the id, which proves that the process has the same `SERVICE_SECRET`;
 * how far the clock of the process is ahead of the clock of Redis, which earlier versions do not have;
 * and the providers of private keys, as JSON in base64url, if there are any.
 */
const processesKey = (prefix: string) => `${prefix}:signing-processes`

/** The key of earlier versions, for rolling updates. Their value is `1` and proves nothing. They only check that the key exists. */
const earlierKey = (prefix: string) => `${prefix}:signing-worker`
const earlierBeat = '1'

interface Service {
  prefix: string
  secrets: Secrets
}

/** Writes the heartbeat of a process. The process has the same id for as long as it runs. */
export async function writeHeartbeat(
  redis: RedisConnection,
  { prefix, secrets }: Service,
  id: string,
  state: ProcessState,
  clock: Clock,
  keyProviders: readonly KeyProviderState[] = [],
): Promise<void> {
  const at = await timeOf(redis)
  const aheadMs = await clockAheadMs(redis, clock)
  const key = processesKey(prefix)
  const commands = redis.multi()
  commands.hset(key, id, heartbeatText(secrets, { id, at, state, aheadMs, keyProviders }))
  commands.expire(key, closedSeconds)
  await commands.exec()
  // A transaction cannot contain it, because a cluster can have it on another node.
  if (state === 'working') await redis.set(earlierKey(prefix), 'proven', 'EX', heartbeatSeconds)
}

/**
 * Removes the entries of processes that have ended. A signing process that starts (`withClosed`) also removes the entries of processes that
 * could not open keys, because it reports the current state.
 */
export async function removeEndedProcesses(
  redis: RedisConnection,
  prefix: string,
  { withClosed = false } = {},
): Promise<void> {
  const now = await timeOf(redis)
  const key = processesKey(prefix)
  const ended = endedProcesses(await redis.hgetall(key), now, withClosed)
  if (ended.length > 0) await redis.hdel(key, ...ended)
}

/** Removes the entry of a process that ends. */
export async function removeProcess(redis: RedisConnection, prefix: string, id: string): Promise<void> {
  await redis.hdel(processesKey(prefix), id)
}

export async function readHeartbeats(redis: RedisConnection, { prefix, secrets }: Service): Promise<SigningStatus> {
  const [now, processes, earlier] = await Promise.all([
    timeOf(redis),
    redis.hgetall(processesKey(prefix)),
    redis.get(earlierKey(prefix)),
  ])
  const status = signingStatusOf(processes, now, secrets)
  return { ...status, isRunning: status.isRunning || earlier === earlierBeat }
}

interface HeartbeatContent {
  id: string
  /** The time of the broker, in milliseconds. */
  at: number
  state: ProcessState
  aheadMs: number
  keyProviders?: readonly KeyProviderState[] | undefined
}

/** Returns the heartbeat of a process as text. */
export function heartbeatText(
  secrets: Secrets,
  { id, at, state, aheadMs, keyProviders = [] }: HeartbeatContent,
): string {
  const text = `${at} ${state} ${secrets.mac(...proven(id, at, state))} ${aheadMs}`
  if (keyProviders.length === 0) return text
  return `${text} ${Buffer.from(JSON.stringify(keyProviders)).toString('base64url')}`
}

/** Returns the ids of processes that have ended. */
export function endedProcesses(heartbeats: Record<string, string>, now: number, withClosed: boolean): string[] {
  const ended = Object.entries(heartbeats).filter(([, text]) => {
    const { at, state } = read(text)
    if (state === 'closed') return withClosed
    return !(now - at <= 10 * heartbeatSeconds * 1000)
  })
  return ended.map(([id]) => id)
}

/** Returns the status of the processes with these heartbeats at the time `now`, in milliseconds. */
export function signingStatusOf(heartbeats: Record<string, string>, now: number, secrets: Secrets): SigningStatus {
  const current = Object.entries(heartbeats).flatMap(([id, text]) => {
    const { at, state, proof, aheadMs, keyProviders } = read(text)
    const validForSeconds = state === 'closed' ? closedSeconds : heartbeatSeconds
    // Also excludes an entry without a readable time, which is NaN.
    if (!(now - at <= validForSeconds * 1000)) return []
    return [{ state, aheadMs, keyProviders, isProven: secrets.isMac(proof, ...proven(id, at, state)) }]
  })
  const proved = current.filter(({ isProven }) => isProven)
  const states = proved.map(({ state }) => state)
  return {
    isRunning: states.includes('working'),
    hasOtherSecret: current.some(({ state, isProven }) => state !== 'worker' && !isProven),
    cannotOpenKeys: states.includes('closed'),
    clocksAheadMs: proved.flatMap(({ state, aheadMs }) =>
      aheadMs === undefined ? [] : [{ process: state === 'worker' ? 'worker' : 'signing', aheadMs }],
    ),
    keyProviders: mergedProviders(proved.flatMap(({ keyProviders }) => keyProviders)),
  }
}

/** A provider is up if it answers each of the processes. */
function mergedProviders(reported: KeyProviderState[]): KeyProviderState[] {
  const byName = [...Map.groupBy(reported, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1))
  return byName.map(([name, states]) => ({
    name,
    isUp: states.every(({ isUp }) => isUp),
    algorithms: states[0]?.algorithms ?? [],
  }))
}

function proven(id: string, at: number, state: string): [use: string, data: string] {
  return ['heartbeat', `${id} ${at} ${state}`]
}

function read(text: string) {
  const [at = '', state = '', proof = '', ahead = '', providers = ''] = text.split(' ')
  const aheadMs = /^-?\d+$/.test(ahead) ? Number(ahead) : undefined
  return { at: Number(at), state, proof, aheadMs, keyProviders: readProviders(providers) }
}

function readProviders(text: string): KeyProviderState[] {
  if (text === '') return []
  try {
    // Boundary: a signing process wrote it (`heartbeatText`).
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as KeyProviderState[]
  } catch {
    return []
  }
}
