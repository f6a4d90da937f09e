import { type CompleteDid, findDid } from '../../db/repos/identifiers/dids.ts'
import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { type DidProfile, profiles } from '../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import type { IssuerKey } from './formats/signing-input.ts'
import type { CurrentKeys } from './keys/current-keys.ts'

export interface Issuer {
  tenantId: string
  did: string
}

/** A key of this service. */
interface OwnIssuerKey extends IssuerKey {
  /** The id of the key in this service: the signer in the records of credentials. */
  signerId: string
}

export interface IssuerKeyDeps extends Pick<WorkerDeps, 'db'> {
  currentKeys: CurrentKeys
}

/** Returns the key of the tenant's own DID for the credentials and status lists of a profile. */
export async function issuerKey(
  { currentKeys, db }: IssuerKeyDeps,
  { tenantId, did }: Issuer,
  profile: DidProfile,
): Promise<OwnIssuerKey> {
  const use = { purpose: 'did', algorithm: profiles[profile].keyAlgorithm } as const
  const signer = await currentKeys.of(db.read, tenantId, tenantOwner, use)
  return { signer, keyId: `${did}#${signer.id}`, kid: signer.id, signerId: signer.id }
}

/** Returns the key of a DID that the tenant created. Throws `not_found` if the DID does not exist. */
export async function madeDidKey(deps: IssuerKeyDeps, issuer: Issuer, profile: DidProfile): Promise<OwnIssuerKey> {
  const made = await getDid(deps, issuer)
  const use = { purpose: 'did', algorithm: profiles[profile].keyAlgorithm } as const
  const owner = { kind: 'did', id: made.id } as const
  const signer = await deps.currentKeys.of(deps.db.read, issuer.tenantId, owner, use).catch(async (error) => {
    // The keys of a DID are deleted with it.
    await getDid(deps, issuer)
    throw error
  })
  const keyId = keyIdIn(made, signer.id)
  return { signer, keyId, kid: keyId.slice(issuer.did.length + 1), signerId: signer.id }
}

async function getDid({ db }: IssuerKeyDeps, { tenantId, did }: Issuer): Promise<CompleteDid> {
  const made = await findDid(db.read, tenantId, did)
  if (!made) throw new Problem('not_found', { reason: 'the DID was deleted' })
  return made
}

function keyIdIn({ documentedKeys }: CompleteDid, id: string): string {
  const documented = documentedKeys.find(({ keyId }) => keyId === id)
  if (!documented) throw new Error(`no DID document has the key ${id}`)
  return documented.didDocumentKeyId
}
