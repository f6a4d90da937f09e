import type { Keys } from '../shared/jobs/keys.ts'
import type { Threads } from '../shared/threads/threads.ts'
import type { Deps } from './deps.ts'
import type { RequestHooks } from './http/request-hooks.ts'
import type { Slot } from './http/slot.ts'

/** Binds transactions to the request's deadline. Releases the request's slot while it waits for other processes, threads and hosts. */
export const bindDeps: RequestHooks['bind'] = (deps, { deadline, slot }) => {
  const { db, keys, outbound, dids, verifiers, listReader } = deps
  return {
    ...deps,
    db: db.until(deadline),
    keys: keysOutside(keys, slot),
    outbound: { ...outbound, request: (options) => slot.outside(outbound.request(options)) },
    dids: {
      resolve: (...asked) => slot.outside(dids.resolve(...asked)),
      keyOf: (...asked) => slot.outside(dids.keyOf(...asked)),
    },
    verifiers: {
      qrCodes: threadsOutside(verifiers.qrCodes, slot),
      jsonLd: threadsOutside(verifiers.jsonLd, slot),
    },
    listReader: threadsOutside(listReader, slot),
  } satisfies Deps
}

function keysOutside(keys: Keys, slot: Slot): Keys {
  return {
    request: (...asked) => slot.outside(keys.request(...asked)),
    call: (...asked) => slot.outside(keys.call(...asked)),
  }
}

function threadsOutside<Input, Output>(threads: Threads<Input, Output>, slot: Slot): Threads<Input, Output> {
  return {
    ...threads,
    run: (...asked) => slot.outside(threads.run(...asked)),
    runRead: (...asked) => slot.outside(threads.runRead(...asked)),
  }
}
