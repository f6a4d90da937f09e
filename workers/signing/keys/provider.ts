import type { KeyObject } from 'node:crypto'
import type { KeyAlgorithm, KeyPurpose } from '../../../db/tables/identifiers/keys.ts'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import type { Agreement, Signer } from './signer.ts'

/** A key in a provider. */
interface KeyInProvider<Algorithm> {
  id: string
  tenantId: string
  algorithm: Algorithm
  publicKey: KeyObject
  handle: string
}

/** Where private keys live. The software provider is not behind this interface: its keys are wrapped in rows. */
export interface KeyProvider {
  /** `pkcs11`, or `remote:<name>`. */
  readonly name: string
  supports(algorithm: KeyAlgorithm): boolean
  /** Makes a key pair that cannot leave the provider. `label` has tenant, purpose and id, for providers with room for it. */
  generate(key: {
    id: string
    tenantId: string
    purpose: KeyPurpose
    label: string
    algorithm: KeyAlgorithm
  }): Promise<{ handle: string; publicJwk: PublicJwk }>
  signer(key: KeyInProvider<Signer['algorithm']>): Omit<Signer, 'provider'>
  agreement(key: KeyInProvider<Agreement['algorithm']>): Agreement
  /** Destroys the key. Resolves if it is already gone. */
  destroy(handle: string): Promise<void>
  /** The handles of all keys, for the comparison with the rows. */
  handles(): AsyncIterable<string>
  /**
   * Returns the tenant in the label of a key, and undefined for a label that this service did not make. A provider without this function
   * has only keys of this installation.
   */
  tenantOf?(handle: string): string | undefined
  /** Returns whether the provider answered the last calls. */
  isUp(): boolean
  /** Resolves if the provider answers, and throws KeyProviderUnavailable else. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * The provider does not answer now. The message names the provider and the reason, for operators. A request waits until its deadline, and then
 * gets 503 with `Retry-After` (provider-of-tenants.ts), or it is deferred.
 */
export class KeyProviderUnavailable extends Error {}

/** The provider refuses for good: a mechanism is missing, the token is full, the key is unknown. The message names what to do. */
export class KeyProviderRefused extends Error {}
