import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { createAnalytics } from '../../api/analytics.ts'
import { newId } from '../../shared/ids.ts'
import { createBus } from '../../shared/jobs/bus.ts'
import { createLog } from '../../shared/log.ts'
import { createSecrets } from '../../shared/secrets.ts'

const event = () => {
  const id = newId()
  const about = { type: 'USER_CREATE_SUCCESS', category: 'USERS', requestId: id, data: {} } as const
  return { id, tenantId: 'tenant', timestamp: new Date().toISOString(), ...about }
}

test('events leave the process within a tenth of a second, also in busy times, in batches', async () => {
  const secrets = createSecrets([Buffer.alloc(32)])
  const bus = await createBus({ redisUrl: inject('redisUrl'), prefix: `test-${randomUUID()}`, secrets })
  const log = createLog({ process: 'test', level: 'silent', pretty: false })
  const analytics = createAnalytics(bus, log)
  const queued = async () => (await bus.queue('analytics').getJobs(['waiting'])).map(({ data }) => data.payload.events)
  for (const round of [1, 2]) {
    for (let emitted = 0; emitted < 100; emitted++) analytics.emit(event())
    // Both timers are of this process: however slow it is, they end in this order.
    await sleep(100)
    await bus.ping()
    const batches = await queued()
    expect([batches.length, batches.flat().length]).toEqual([round, 100 * round])
  }
  await analytics.close()
  await bus.close()
})
