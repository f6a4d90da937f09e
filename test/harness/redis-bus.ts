import type { Bus } from '../../shared/jobs/bus.ts'
import { createRedisBroker, type RedisBrokerOptions } from '../../shared/jobs/redis-broker.ts'

/** Opens a bus, and waits until Redis is reachable. */
export async function openRedisBus(options: RedisBrokerOptions): Promise<Bus> {
  const bus = createRedisBroker(options).openBus()
  await bus.connected
  return bus
}
