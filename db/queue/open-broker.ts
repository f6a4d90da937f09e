import type { Broker } from '../../shared/jobs/broker.ts'
import { createRedisBroker, redisBrokerOptions } from '../../shared/jobs/redis-broker.ts'
import { socketFolderOf } from '../../shared/jobs/sockets/socket-folder.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'
import type { Database } from '../client.ts'
import { createDatabaseBroker } from './database-broker.ts'

/** Opens the broker of the setting `QUEUE`. `db` is a database of this process. */
export function openBroker(config: Config, { db, secrets }: { db: Database; secrets: Secrets }): Broker {
  return config.queueIn === 'database'
    ? createDatabaseBroker(db, secrets, socketFolderOf(config))
    : createRedisBroker(redisBrokerOptions(config, secrets))
}
