import type { Redis } from 'ioredis'
import type { Config } from '../shared/config.ts'
import { heartbeatKey, heartbeatSeconds } from '../shared/jobs/heartbeat.ts'
import { connectPatient } from '../shared/jobs/redis.ts'

/** Tells `GET /health/ready` that a signing worker is there. */
export function beatHeart({ config, prefix }: { config: Config; prefix: string }): { stop(): Promise<void> } {
  const redis: Redis = connectPatient(config.redisUrl)
  const beat = () => {
    redis.set(heartbeatKey(prefix), '1', 'EX', heartbeatSeconds).catch(() => undefined) // silence is the signal
  }
  beat()
  const timer = setInterval(beat, (heartbeatSeconds * 1000) / 3)
  return {
    async stop() {
      clearInterval(timer)
      redis.disconnect()
    },
  }
}
