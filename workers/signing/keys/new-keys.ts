import type { Database, Writer } from '../../../db/client.ts'
import { findKey, type KeyOwner, type KeyRow, type KeyUse } from '../../../db/repos/identifiers/keys.ts'
import {
  type KeyPart,
  type KeyPolicy,
  providerOf,
  softwareProvider,
} from '../../../shared/domain/identifiers/key-policy.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { GeneratedKey, Keyring, KeyToGenerate } from './keyring.ts'
import { getProvider } from './providers.ts'

/** A new key. `part` and `policy` decide its provider. */
export interface NewKeyDescription extends KeyUse {
  tenantId: string
  owner: KeyOwner
  /** By default a new id. */
  id?: string
  part: KeyPart
  policy: KeyPolicy
}

/** Creates a key and returns its row. Call it in the transaction that stores the row. */
export type NewKey = (description: NewKeyDescription, at: Date) => KeyRow

interface Deps {
  db: Pick<Database, 'read' | 'tx'>
  keyring: Keyring
  log: Log
}

/**
 * Runs a transaction that stores new keys. A key of another provider is generated before the transaction: a transaction that lacks it rolls
 * back, and runs again with the key. If the transaction fails, such keys are destroyed. `work` can therefore run several times.
 */
export async function txWithNewKeys<Result>(
  { db, keyring, log }: Deps,
  work: (tx: Writer, newKey: NewKey) => Promise<Result>,
): Promise<Result> {
  const generated: GeneratedKey[] = []
  let used = new Set<GeneratedKey>()
  const newKey: NewKey = (description, at) => {
    const provider = providerOfNewKey(keyring, description)
    if (provider === softwareProvider) return keyring.newKey(description, at)
    const key = generated.find((each) => !used.has(each) && isFor(each, provider, description))
    if (!key) throw new KeyMissing({ ...description, provider, purpose: description.purpose })
    used.add(key)
    return keyring.rowOf(description, key, at)
  }
  try {
    for (;;) {
      try {
        return await db.tx((tx) => {
          used = new Set()
          return work(tx, newKey)
        })
      } catch (error) {
        if (!(error instanceof KeyMissing)) throw error
        used = new Set()
        generated.push(await keyring.generate(error.key))
      }
    }
  } finally {
    for (const key of generated) await destroyUnlessStored({ db, keyring, log }, key)
  }
}

/** Returns the provider of a new key. Throws `conflict` if the platform requires hardware and the provider cannot have such a key. */
function providerOfNewKey(keyring: Keyring, { part, policy, algorithm }: NewKeyPlace): string {
  const { custody } = keyring
  const name = providerOf(part, policy, custody)
  if (name !== softwareProvider && getProvider(custody, name).supports(algorithm)) return name
  if (!custody.requireHardware.includes(part)) return softwareProvider
  throw new Problem('conflict', { message: hardwareRequired(part, name, algorithm) })
}

type NewKeyPlace = Pick<NewKeyDescription, 'part' | 'policy' | 'algorithm'>

/** Returns whether a key can be created under the policies. */
export function canCreate(keyring: Keyring, { part, policy, algorithm }: NewKeyPlace): boolean {
  const { custody } = keyring
  if (!custody.requireHardware.includes(part)) return true
  const name = providerOf(part, policy, custody)
  return name !== softwareProvider && getProvider(custody, name).supports(algorithm)
}

function hardwareRequired(part: KeyPart, name: string, algorithm: string): string {
  if (name === softwareProvider)
    return `The platform requires keys of ${part} in hardware. Set \`keys.${part}\` of the tenant to another provider than software.`
  return `The platform requires keys of ${part} in hardware, and ${name} cannot have a key of ${algorithm}. Choose another key type.`
}

class KeyMissing extends Error {
  readonly key: KeyToGenerate

  constructor(key: KeyToGenerate) {
    super('a key must be generated before its transaction')
    this.key = key
  }
}

function isFor(key: GeneratedKey, provider: string, { tenantId, id, purpose, algorithm }: NewKeyDescription): boolean {
  const isSameId = id === undefined || key.id === id
  return (
    isSameId &&
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
