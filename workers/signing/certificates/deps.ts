import type { WorkerDeps } from '../../jobs/handlers.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { KeyWork } from '../keys/tx-with-keys.ts'
import type { SignerCache } from './signer-cache.ts'

/** The dependencies of certificates and their keys. */
export interface CertificateDeps extends Pick<WorkerDeps, 'db' | 'clock' | 'log'> {
  keyring: Keyring
  signerCache: SignerCache
  /** The scheme of the addresses of tenants. */
  publicScheme: 'http' | 'https'
}

/** The dependencies of certificates in a transaction that creates their keys and signs them. */
export interface NewCertificateDeps extends CertificateDeps, KeyWork {}
