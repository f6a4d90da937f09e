import type { WorkerDeps } from '../../handlers.ts'
import type { Keyring } from '../keyring.ts'
import type { SignerCache } from './signer-cache.ts'

/** What certificates and their keys are made and found with. */
export interface CertificateDeps extends Pick<WorkerDeps, 'db' | 'clock'> {
  keyring: Keyring
  signerCache: SignerCache
  /** Of the addresses of tenants. */
  publicScheme: 'http' | 'https'
}
