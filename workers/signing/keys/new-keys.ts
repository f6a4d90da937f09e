import type { KeyOwner, KeyRow, KeyUse } from '../../../db/repos/identifiers/keys.ts'
import {
  type KeyPart,
  type KeyPolicy,
  providerOf,
  softwareProvider,
} from '../../../shared/domain/identifiers/key-policy.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Keyring } from './keyring.ts'
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

/** Returns the provider of a new key. Throws `conflict` if the platform requires hardware and the provider cannot have such a key. */
export function providerOfNewKey(keyring: Keyring, { part, policy, algorithm }: NewKeyPlace): string {
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
