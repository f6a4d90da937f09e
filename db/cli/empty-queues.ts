import '../../shared/quick-resolve.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, requireReachable } from '../../shared/process/dependency.ts'
import { readConfig } from '../../shared/settings/config.ts'

/**
 * `node db/cli/empty-queues.ts`: empties the queues of the settings, before the service moves to other queues. Prints the jobs that waited. Refuses
 * while processes take jobs. The scheduler queues the jobs again from their rows, in whichever queues it starts. The command may be killed and
 * repeated.
 */
const config = exitIfMisconfigured(() => readConfig(process.env))
useCompileCache(config.dataDir)
const { openDatabase } = await import('../client.ts')
const { migratedDatabase } = await import('../engine/dependency.ts')
const { emptyQueues } = await import('../queue/empty-queues.ts')
const { areQueuesInUse } = await import('../queue/machine-lease.ts')
const { openBroker } = await import('../queue/open-broker.ts')
const { emptyRedisQueues } = await import('../../shared/jobs/empty-redis-queues.ts')
const { connectFailFast, redisDependency } = await import('../../shared/jobs/redis.ts')
const { createSecrets } = await import('../../shared/secrets/secrets.ts')

const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'powerLoss' }))
await requireReachable(migratedDatabase(db, config.databaseUrl))
const isInRedis = config.queueIn === 'redis'
if (isInRedis) await requireReachable(redisDependency(config.redisUrl))
const bus = openBroker(config, { db, secrets: createSecrets(config.serviceSecrets, config) }).openBus()
await bus.connected
try {
  await run()
} finally {
  await bus.close()
  await db.close()
}

async function run(): Promise<void> {
  const statuses = await bus.queueStatuses()
  const isInUse = isInRedis ? statuses.some(({ workers = 0 }) => workers > 0) : await areQueuesInUse(db)
  if (isInUse) {
    console.error('Processes take jobs of these queues, or did so a few seconds ago. Stop all processes first.')
    process.exitCode = 1
    return
  }
  for (const { queue, jobs } of statuses) {
    const counts = Object.entries(jobs).filter(([, count]) => count > 0)
    if (counts.length > 0) console.log(`${queue}: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}`)
  }
  if (isInRedis) await emptyRedis()
  else await emptyQueues(db)
  console.log(`The queues in ${isInRedis ? 'Redis' : 'the database'} are empty. Jobs are queued again from their rows.`)
}

async function emptyRedis(): Promise<void> {
  const redis = connectFailFast(config.redisUrl)
  await new Promise<void>((resolve) => redis.once('ready', resolve))
  await emptyRedisQueues(redis, config.redisPrefix)
  redis.disconnect()
}
