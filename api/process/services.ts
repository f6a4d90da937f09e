import type { Database } from '../../db/client.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Deadline } from '../../shared/deadline.ts'
import type { Log } from '../../shared/log/log.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Threads } from '../../shared/threads/threads.ts'
import type { Slot } from '../http/slot.ts'
import type { Lifecycle } from './lifecycle.ts'

/** The dependencies with which services are created. */
export interface ServiceDeps {
  db: Database
  secrets: Secrets
  clock: Clock
  log: Log
  lifecycle: Lifecycle
}

/** The deadline and the slot of one request, to which a service can be bound. */
export interface RequestBounds {
  deadline: Deadline
  slot: Slot
}

/** Describes a service of a domain, of which each web process has one. The domain defines it. */
export interface ServiceDefinition<Service> {
  /** Unique among all services. */
  name: string
  create(deps: ServiceDeps): Service
  /** Returns the service for one request. Absent if all requests use the service as it is. */
  bind?(service: Service, request: RequestBounds): Service
  /** Ends the service when the process stops. */
  close?(service: Service): Promise<void>
}

/** The services of one web process. */
export interface Services {
  /** Returns the service of a definition. The first call creates it. */
  of<Service>(definition: ServiceDefinition<Service>): Service
  /** Closes the services that were created. */
  close(): Promise<void>
}

export function defineService<Service>(
  name: string,
  definition: Omit<ServiceDefinition<Service>, 'name'>,
): ServiceDefinition<Service> {
  return { name, ...definition }
}

export function createServices(deps: ServiceDeps): Services {
  const all = new Map<string, unknown>()
  const closings: (() => Promise<void>)[] = []
  return {
    of<Service>(definition: ServiceDefinition<Service>): Service {
      // Boundary: the name of a definition is unique.
      const existing = all.get(definition.name) as Service | undefined
      if (existing) return existing
      const service = definition.create(deps)
      all.set(definition.name, service)
      closings.push(async () => definition.close?.(service))
      return service
    },
    async close() {
      for (const close of closings) await close()
    },
  }
}

/** Returns the services for one request. */
export function bindServices(services: Services, request: RequestBounds): Services {
  return {
    ...services,
    of(definition) {
      const service = services.of(definition)
      return definition.bind ? definition.bind(service, request) : service
    },
  }
}

/** Binds threads to a request, which gives its slot back while it waits for a thread. */
export function bindThreads<Input, Output>(
  threads: Threads<Input, Output>,
  { slot }: RequestBounds,
): Threads<Input, Output> {
  return {
    ...threads,
    run: (...input) => slot.releaseDuring(threads.run(...input)),
    runRead: (...input) => slot.releaseDuring(threads.runRead(...input)),
  }
}
