import type { Keys } from '../shared/jobs/keys.ts'
import type { Threads } from '../shared/threads/threads.ts'
import type { Deps } from './deps.ts'
import type { RequestHooks } from './http/request-hooks.ts'
import type { Slot } from './http/slot.ts'

/** Binds transactions and status changes to the request's deadline. Waits for other processes, threads and hosts give its slot back. */
export const bindDeps: RequestHooks['bind'] = (deps, { deadline, slot }) => {
  const { db, keys, outbound, dids, verifiers, listReader, setStatus } = deps
  return {
    ...deps,
    db: db.until(deadline),
    setStatus: (change) => setStatus(change, deadline),
    keys: keysOutside(keys, slot),
    outbound: { ...outbound, request: (options) => slot.outside(outbound.request(options)) },
    dids: {
      resolve: (...input) => slot.outside(dids.resolve(...input)),
      keyOf: (...input) => slot.outside(dids.keyOf(...input)),
    },
    verifiers: {
      qrCodes: threadsOutside(verifiers.qrCodes, slot),
      jsonLd: threadsOutside(verifiers.jsonLd, slot),
    },
    listReader: threadsOutside(listReader, slot),
    withoutSlot: slot.outside,
  } satisfies Deps
}

/** Binds the reads of one request to a database that is current. Its transactions are refused, because a standby could be late for them. */
export const bindReads: RequestHooks['bindReads'] = async (deps) => {
  const refuse = async () => {
    throw new Error('An operation with readsStandby writes nothing.')
  }
  return { ...deps, db: { ...deps.db, read: await deps.db.standbyRead(), tx: refuse, txAtOnce: refuse } }
}

function keysOutside(keys: Keys, slot: Slot): Keys {
  return {
    request: (...input) => slot.outside(keys.request(...input)),
    call: (...input) => slot.outside(keys.call(...input)),
  }
}

function threadsOutside<Input, Output>(threads: Threads<Input, Output>, slot: Slot): Threads<Input, Output> {
  return {
    ...threads,
    run: (...input) => slot.outside(threads.run(...input)),
    runRead: (...input) => slot.outside(threads.runRead(...input)),
  }
}
