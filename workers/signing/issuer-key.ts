import { tenantItself } from '../../db/repos/identifiers/keys.ts'
import { type DidProfile, profiles } from '../../shared/profiles.ts'
import type { WorkerDeps } from '../handlers.ts'
import type { CurrentKeys } from './current-keys.ts'
import type { IssuerKey } from './formats/signing-input.ts'

export interface Issuer {
  tenantId: string
  did: string
}

export interface IssuerKeyDeps extends Pick<WorkerDeps, 'db'> {
  currentKeys: CurrentKeys
}

/** The key of a tenant's DID that signs for a profile: its credentials and their status lists. */
export async function issuerKey(
  { currentKeys, db }: IssuerKeyDeps,
  { tenantId, did }: Issuer,
  profile: DidProfile,
): Promise<IssuerKey> {
  const use = { purpose: 'did', algorithm: profiles[profile].keyAlgorithm } as const
  const { id: kid, ...keyPair } = await currentKeys.of(db.read, tenantId, tenantItself, use)
  return { ...keyPair, keyId: `${did}#${kid}`, kid }
}
