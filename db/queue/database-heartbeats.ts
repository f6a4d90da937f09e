import type { Heartbeats } from '../../shared/jobs/broker.ts'
import { endedProcesses, heartbeatText } from '../../shared/jobs/heartbeat.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Database } from '../client.ts'
import { createDatabaseClock } from './database-clock.ts'
import { renewMachineLease, sharedMachineLease } from './machine-lease.ts'
import type { QueueValues } from './values.ts'

/** Longer than a heartbeat of any state is valid. */
const heartbeatsKeptMs = 600_000

interface Context {
  db: Database
  values: QueueValues
  secrets: Secrets
}

/** Opens the heartbeats of a process. On PostgreSQL, a heartbeat is one statement, which also corrects the clock for the next one. */
export function openDatabaseHeartbeats({ db, values, secrets }: Context): Heartbeats {
  const databaseClock = createDatabaseClock(values)
  return {
    reached: Promise.resolve(),
    isReachable: () => true,
    async write(id, state, clock, keyProviders) {
      const at = await databaseClock.now()
      const aheadMs = clock.now().getTime() - at
      const value = heartbeatText(secrets, { id, at, state, aheadMs, keyProviders })
      const heartbeat = { kind: 'heartbeat', id, value, lastsMs: heartbeatsKeptMs } as const
      const lease = db.postgres ? [sharedMachineLease] : []
      await databaseClock.correctBy(() => values.putAll([heartbeat, ...lease]))
      if (!db.postgres) await renewMachineLease(db, values)
    },
    remove: (id) => values.remove('heartbeat', [id]),
    async removeEnded({ withClosed }) {
      const [heartbeats, now] = await Promise.all([values.list('heartbeat'), values.now()])
      await values.remove('heartbeat', endedProcesses(heartbeats, now, withClosed))
    },
    close: () => undefined,
  }
}
