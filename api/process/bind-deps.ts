import type { Deps } from '../deps.ts'
import type { RequestHooks } from '../http/request-hooks.ts'
import { bindServices } from './services.ts'

/**
 * Binds transactions and services to the deadline and the slot of the request. The request gives its slot back while it waits for other processes
 * and hosts.
 */
export const bindDeps: RequestHooks['bind'] = (deps, request) => {
  const { db, keys, outbound, dids, services } = deps
  const { deadline, slot } = request
  return {
    ...deps,
    db: db.until(deadline),
    keys: {
      ...keys,
      request: (...input) => slot.releaseDuring(keys.request(...input)),
      call: (...input) => slot.releaseDuring(keys.call(...input)),
    },
    outbound: { ...outbound, request: (options) => slot.releaseDuring(outbound.request(options)) },
    dids: {
      resolve: (...input) => slot.releaseDuring(dids.resolve(...input)),
      keyOf: (...input) => slot.releaseDuring(dids.keyOf(...input)),
    },
    services: bindServices(services, request),
    withoutSlot: slot.releaseDuring,
  } satisfies Deps
}

/** Binds the reads of one request to a database that is current. Its transactions are refused, because a standby could be late for them. */
export const bindReads: RequestHooks['bindReads'] = async (deps) => {
  const refuse = async () => {
    throw new Error('An operation with readsStandby writes nothing.')
  }
  const writes = { tx: refuse, txAtOnce: refuse, txWithNext: refuse }
  return { ...deps, db: { ...deps.db, read: await deps.db.standbyRead(), ...writes } }
}
