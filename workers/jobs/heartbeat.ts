import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { heartbeatSeconds, removeEndedProcesses, removeProcess, writeHeartbeat } from '../../shared/jobs/heartbeat.ts'
import { connectFailFast, connectPatient } from '../../shared/jobs/redis.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'

interface Options {
  config: Config
  prefix: string
  secrets: Secrets
  clock: Clock
}

/** The time that `stop` waits for Redis. */
const removalTimeoutMs = 1_000

/**
 * Sends heartbeats, which `GET /health/ready` reads. The heartbeat of a signing process (`working`) proves that it runs and knows the secret
 * of this service. Each heartbeat reports the clock of its process.
 */
export function startHeartbeat(
  { config, prefix, secrets, clock }: Options,
  state: 'working' | 'worker',
): { stop(): Promise<void> } {
  const redis = connectPatient(config.redisUrl)
  const id = newId()
  let beating: Promise<void> | undefined

  async function send(before?: Promise<void>): Promise<void> {
    try {
      await before
      await writeHeartbeat(redis, { prefix, secrets }, id, state, clock)
    } catch {
      // A missing heartbeat is the signal.
    } finally {
      beating = undefined
    }
  }

  function next(before?: Promise<void>): void {
    // While Redis is unavailable, one heartbeat waits for it.
    beating ??= send(before)
  }

  async function removeSelf(): Promise<void> {
    await beating
    await removeProcess(redis, prefix, id).catch(() => undefined)
  }

  next(removeEndedProcesses(redis, prefix, { withClosed: state === 'working' }))
  const timer = setInterval(() => next(), (heartbeatSeconds * 1000) / 3)
  return {
    async stop() {
      clearInterval(timer)
      // The entry of a signing process expires instead, so that a restart within seconds does not make the service unready.
      if (state === 'worker' && redis.status === 'ready')
        await Promise.race([removeSelf(), sleep(removalTimeoutMs, undefined, { ref: false })])
      redis.disconnect()
    },
  }
}

/** Reports to `GET /health/ready` that this signing process ends because it cannot open the stored keys. */
export async function reportClosedKeys({ config, prefix, secrets }: Omit<Options, 'clock'>): Promise<void> {
  const redis = connectFailFast(config.redisUrl)
  try {
    await new Promise<void>((resolve, reject) => redis.once('ready', resolve).once('close', reject))
    await removeEndedProcesses(redis, prefix, { withClosed: true })
    await writeHeartbeat(redis, { prefix, secrets }, newId(), 'closed', systemClock)
  } catch {
    // If Redis is unavailable, there is no report.
  } finally {
    redis.disconnect()
  }
}
