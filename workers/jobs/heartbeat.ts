import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import { heartbeatSeconds, type KeyProviderState } from '../../shared/jobs/heartbeat.ts'

interface Options {
  broker: Pick<Broker, 'openHeartbeats'>
  clock: Clock
  /** The providers of private keys of a signing process. */
  keyProviders?: () => KeyProviderState[]
}

/** The time that `stop` waits for the broker. */
const removalTimeoutMs = 1_000

/**
 * Sends heartbeats, which `GET /health/ready` reads. The heartbeat of a signing process (`working`) proves that it runs and knows the secret
 * of this service. Each heartbeat reports the clock of its process.
 */
export function startHeartbeat(
  { broker, clock, keyProviders }: Options,
  state: 'working' | 'worker',
): { stop(): Promise<void> } {
  const heartbeats = broker.openHeartbeats()
  const id = newId()
  let beating: Promise<void> | undefined

  async function send(before?: Promise<void>): Promise<void> {
    try {
      await before
      await heartbeats.write(id, state, clock, keyProviders?.())
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
    await heartbeats.remove(id).catch(() => undefined)
  }

  next(heartbeats.removeEnded({ withClosed: state === 'working' }))
  const timer = setInterval(() => next(), (heartbeatSeconds * 1000) / 3)
  return {
    async stop() {
      clearInterval(timer)
      // The entry of a signing process expires instead, so that a restart within seconds does not make the service unready.
      if (state === 'worker' && heartbeats.isReachable())
        await Promise.race([removeSelf(), sleep(removalTimeoutMs, undefined, { ref: false })])
      heartbeats.close()
    },
  }
}

/** Reports to `GET /health/ready` that this signing process ends because it cannot open the stored keys. */
export async function reportClosedKeys({ broker }: Pick<Options, 'broker'>): Promise<void> {
  const heartbeats = broker.openHeartbeats({ failFast: true })
  try {
    await heartbeats.reached
    await heartbeats.removeEnded({ withClosed: true })
    await heartbeats.write(newId(), 'closed', systemClock)
  } catch {
    // If Redis is unavailable, there is no report.
  } finally {
    heartbeats.close()
  }
}
