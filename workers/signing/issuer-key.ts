import { findDid, type MadeDid } from '../../db/repos/identifiers/dids.ts'
import { tenantItself } from '../../db/repos/identifiers/keys.ts'
import { Problem } from '../../shared/errors.ts'
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

/** The key of a DID that the tenant made. Throws `not_found` where there is no such DID, or none of its keys signs for the profile. */
export async function madeDidKey(
  deps: IssuerKeyDeps,
  { tenantId, did }: Issuer,
  profile: DidProfile,
): Promise<IssuerKey> {
  const made = await findDid(deps.db.read, tenantId, did)
  if (!made) throw new Problem('not_found', { reason: 'the DID was deleted' })
  const use = { purpose: 'did', algorithm: profiles[profile].keyAlgorithm } as const
  const { id, ...keyPair } = await deps.currentKeys.of(deps.db.read, tenantId, { kind: 'did', id: made.id }, use)
  const keyId = keyIdIn(made, id)
  return { ...keyPair, keyId, kid: keyId.slice(did.length + 1) }
}

function keyIdIn({ documentedKeys }: MadeDid, id: string): string {
  const documented = documentedKeys.find(({ keyId }) => keyId === id)
  if (!documented) throw new Error(`no DID document has the key ${id}`)
  return documented.didDocumentKeyId
}
