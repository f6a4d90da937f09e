import type { Database } from '../../db/client.ts'
import { createDatabaseBroker } from '../../db/queue/database-broker.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'

/** Opens the broker of the setting `QUEUE` without sockets. The role signing is in the same process, or the process signs nothing. */
export function openBrokerWithoutSockets(
  { queueIn, redisUrl, redisPrefix }: Pick<Config, 'queueIn' | 'redisUrl' | 'redisPrefix'>,
  { db, secrets }: { db: Database; secrets: Secrets },
): Broker {
  return queueIn === 'database'
    ? createDatabaseBroker(db, secrets)
    : createRedisBroker({ redisUrl, prefix: redisPrefix, secrets })
}
