import type { Broker } from '../../shared/jobs/broker.ts'
import { createRedisBroker } from '../../shared/jobs/redis-broker.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'
import type { Database } from '../client.ts'
import { createDatabaseBroker } from './database-broker.ts'

/** Opens the broker of the setting `QUEUE`. `db` is a database of this process. */
export function openBroker(
  { queueIn, redisUrl, redisPrefix }: Pick<Config, 'queueIn' | 'redisUrl' | 'redisPrefix'>,
  { db, secrets }: { db: Database; secrets: Secrets },
): Broker {
  return queueIn === 'database'
    ? createDatabaseBroker(db, secrets)
    : createRedisBroker({ redisUrl, prefix: redisPrefix, secrets })
}
