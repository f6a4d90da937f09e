import type { Database, Writer } from '../../../db/client.ts'
import { findKey, type KeyRow } from '../../../db/repos/identifiers/keys.ts'
import { softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { WorkerDeps } from '../../jobs/handlers.ts'
import type { GeneratedKey, Keyring } from './keyring.ts'
import { type NewKey, type NewKeyDescription, providerOfNewKey } from './new-keys.ts'
import { createPreparedKeyring, NotPrepared, unprepared } from './prepared-keyring.ts'
import { getProvider } from './providers.ts'

interface Deps extends Pick<WorkerDeps, 'clock'> {
  db: Pick<Database, 'read' | 'tx'>
  keyring: Keyring
  log: Log
}

/** The means of a transaction to create keys and to sign the same bytes in each run. */
export interface KeyWork {
  newKey: NewKey
  /** Returns the text that `create` returned in the first run under this name. Use it for random values that are signed or own a key. */
  once(name: string, create: () => string): string
}

/** A transaction makes a key or a signature in each run. More runs than this are a bug: it signs other bytes each time. */
const maxRuns = 100

/**
 * Runs a transaction that stores new keys and signs. Keys and signatures of other providers than software are made outside of it, because a
 * device can take seconds: a transaction that lacks one rolls back, and runs again with it. `work` can therefore run several times. It must use
 * the dependencies that it gets: their clock stands still, so that each run signs the same bytes. A signature is used for the same bytes only.
 * If rows changed meanwhile, the transaction therefore lacks another signature. Keys that are not stored at the end are destroyed.
 */
export async function txWithKeys<TxDeps extends Deps, Result>(
  deps: TxDeps,
  work: (tx: Writer, deps: TxDeps & KeyWork) => Promise<Result>,
): Promise<Result> {
  const { db, clock } = deps
  const at = clock.now()
  const texts = new Map<string, string>()
  const once = (name: string, create: () => string) => {
    const text = texts.get(name) ?? create()
    texts.set(name, text)
    return text
  }
  const keys = prepareKeys(deps.keyring)
  const { keyring, newKey } = keys
  const workDeps = { ...deps, clock: { now: () => at }, keyring, newKey, once }
  try {
    for (let run = 0; run < maxRuns; run++) {
      try {
        return await db.tx((tx) => {
          keys.startRun()
          return work(tx, workDeps)
        })
      } catch (error) {
        if (!(error instanceof NotPrepared)) throw error
        keys.startRun()
        await error.prepare()
      }
    }
    throw new Error('a transaction signs other bytes in each run')
  } finally {
    for (const key of keys.generated) await destroyUnlessStored(deps, key)
  }
}

/** Keeps the keys of a transaction between its runs. */
function prepareKeys(keyring: Keyring) {
  const generated: GeneratedKey[] = []
  const software: KeyRow[] = []
  let used = new Set<GeneratedKey | KeyRow>()

  const newKey: NewKey = (description, at) => {
    const provider = providerOfNewKey(keyring, description)
    const isUsable = (key: GeneratedKey | KeyRow) => !used.has(key) && isFor(key, provider, description)
    if (provider === softwareProvider) {
      const row = software.find(isUsable) ?? newSoftwareKey(description, at)
      used.add(row)
      return row
    }
    const key = generated.find(isUsable)
    if (!key)
      throw new NotPrepared(async () => void generated.push(await keyring.generate({ ...description, provider })))
    used.add(key)
    return keyring.rowOf(description, key, at)
  }

  function newSoftwareKey(description: NewKeyDescription, at: Date): KeyRow {
    try {
      const row = keyring.newKey(description, at)
      software.push(row)
      return row
    } catch (error) {
      throw unprepared(error, async () => void software.push(await keyring.prepareKey(description, at)))
    }
  }

  return {
    generated,
    newKey,
    keyring: createPreparedKeyring(keyring),
    startRun() {
      used = new Set()
    },
  }
}

function isFor(
  key: GeneratedKey | KeyRow,
  provider: string,
  { tenantId, id, purpose, algorithm, owner }: NewKeyDescription,
): boolean {
  const isSameId = id === undefined || key.id === id
  // The wrapping of a software key names its owner.
  const isSameOwner = !('ownerId' in key) || (key.ownerKind === owner.kind && key.ownerId === owner.id)
  return (
    isSameId &&
    isSameOwner &&
    key.provider === provider &&
    key.tenantId === tenantId &&
    key.purpose === purpose &&
    key.algorithm === algorithm
  )
}

/** A failed commit can have stored the row. If that is unknown, the key stays, and a comparison with the rows finds it. */
async function destroyUnlessStored({ db, keyring, log }: Deps, key: GeneratedKey): Promise<void> {
  const { id, tenantId, provider, handle } = key
  try {
    const row = await findKey(db.read, tenantId, id)
    if (row?.handle !== handle) await getProvider(keyring.custody, provider).destroy(handle)
  } catch (error) {
    log.error({ err: error, tenantId, keyId: id, provider, handle }, 'unused key not destroyed')
  }
}
