import { type Clock, systemClock } from '../shared/clock.ts'
import type { Config } from '../shared/config.ts'
import { newId } from '../shared/ids.ts'
import { beat, forgetOthers, heartbeatSeconds } from '../shared/jobs/heartbeat.ts'
import { connectFailFast, connectPatient } from '../shared/jobs/redis.ts'
import type { Secrets } from '../shared/secrets.ts'

interface Options {
  config: Config
  prefix: string
  secrets: Secrets
  clock: Clock
}

/**
 * Tells `GET /health/ready` of a process: of a signing process (`working`) that it is there and knows the secret of this service, and of any
 * the time of its clock.
 */
export function beatHeart(
  { config, prefix, secrets, clock }: Options,
  state: 'working' | 'worker',
): { stop(): Promise<void> } {
  const redis = connectPatient(config.redisUrl)
  const id = newId()
  let isBeating = false
  const next = async (before?: Promise<void>) => {
    if (isBeating) return // Redis is away: the one that waits for it is enough
    isBeating = true
    try {
      await before
      await beat(redis, { prefix, secrets }, id, state, clock)
    } catch {
      // silence is the signal
    } finally {
      isBeating = false
    }
  }
  void next(state === 'working' ? forgetOthers(redis, prefix) : undefined)
  const timer = setInterval(() => void next(), (heartbeatSeconds * 1000) / 3)
  return {
    async stop() {
      clearInterval(timer)
      redis.disconnect()
    },
  }
}

/** Tells `GET /health/ready` why no signing worker is there: this one cannot open keys, and ends. */
export async function tellClosedKeys({ config, prefix, secrets }: Omit<Options, 'clock'>): Promise<void> {
  const redis = connectFailFast(config.redisUrl)
  try {
    await new Promise<void>((resolve, reject) => redis.once('ready', resolve).once('close', reject))
    await forgetOthers(redis, prefix)
    await beat(redis, { prefix, secrets }, newId(), 'closed', systemClock)
  } catch {
    // Redis went meanwhile: there is nobody to tell
  } finally {
    redis.disconnect()
  }
}
