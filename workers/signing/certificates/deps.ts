import type { WorkerDeps } from '../../handlers.ts'
import type { Keyring } from '../keyring.ts'
import type { KnownSigners } from './known-signers.ts'

/** What certificates and their keys are made and found with. */
export interface CertificateDeps extends Pick<WorkerDeps, 'db' | 'clock'> {
  keyring: Keyring
  knownSigners: KnownSigners
  /** Of the addresses of tenants. */
  publicScheme: 'http' | 'https'
}
