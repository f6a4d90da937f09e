import { holdTenant } from '../../db/hold.ts'
import {
  completeDid,
  type DidRow,
  type DidRowContent,
  findDidRow,
  isCompleteDid,
} from '../../db/repos/identifiers/dids.ts'
import { insertKeys, type KeyRow } from '../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm } from '../../db/tables/identifiers/keys.ts'
import { type KeyPolicy, partOfKey, softwareProvider } from '../../shared/domain/identifiers/key-policy.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { type DidDocument, didKeyDocument, didWebDocument, didWebKeysFrom } from '../../shared/formats/did-document.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { auditKeys } from './audit-keys.ts'
import type { SigningDeps } from './deps.ts'
import type { Keyring } from './keys/keyring.ts'
import { canCreate, type NewKey } from './keys/new-keys.ts'
import { txWithKeys } from './keys/tx-with-keys.ts'

/** Creates the keys and the document of a DID in one transaction. Does nothing if this was done or the row is deleted. */
export async function makeDid(
  deps: Pick<SigningDeps, 'db' | 'keyring' | 'clock' | 'log'>,
  { tenantId, didId }: Payload<'makeDid'>,
): Promise<Record<string, never>> {
  const row = await findDidRow(deps.db.read, tenantId, didId)
  if (!row || isCompleteDid(row)) return {}
  const at = deps.clock.now()
  await txWithKeys(deps, async (tx, { keyring, newKey }) => {
    // A deleted tenant gets no new keys.
    const tenant = await holdTenant(tx, tenantId)
    if (tenant?.state !== 'active') throw new Problem('not_found')
    const { keys, ...content } = await contentOf({ keyring, newKey, policy: tenant.settings.keys, at }, row)
    if (!(await completeDid(tx, tenantId, didId, content))) return
    await insertKeys(tx, keys)
    const made = keys.map(({ id, purpose, algorithm }) => ({ id, purpose, algorithm }))
    await auditKeys(tx, tenantId, 'KEY_CREATE', { didId, did: content.did, keys: made }, at)
  })
  return {}
}

interface NewDidKeys {
  keyring: Keyring
  newKey: NewKey
  policy: KeyPolicy
  at: Date
}

const placeOf = (policy: KeyPolicy, algorithm: KeyAlgorithm) =>
  ({ policy, part: partOfKey({ purpose: 'did', algorithm }), purpose: 'did', algorithm }) as const

async function contentOf(
  { keyring, newKey, policy, at }: NewDidKeys,
  row: DidRow,
): Promise<DidRowContent & { keys: KeyRow[] }> {
  const owner = { kind: 'did', id: row.id } as const
  const create = (algorithm: KeyAlgorithm) =>
    newKey({ tenantId: row.tenantId, owner, ...placeOf(policy, algorithm) }, at)
  const isPossible = (algorithm: KeyAlgorithm) => canCreate(keyring, placeOf(policy, algorithm))
  if (row.method === 'key') {
    const key = create(row.keyType ?? 'Ed25519')
    // Only a software key gives the private key of its agreement.
    const agrees = key.algorithm === 'Ed25519' && key.provider === softwareProvider && isPossible('X25519')
    return withDocumentedKeys(
      didKeyDocument(key.publicJwk, agrees ? 'with agreement' : 'signing only'),
      agrees ? [key, await keyring.agreementKeyOf(key)] : [key],
    )
  }
  if (row.did === null) throw new Error('a did:web row needs its DID')
  const others = (['Bls12381G2', 'X25519'] as const).filter(isPossible)
  const keys = [create('ES256'), create('Ed25519'), ...others.map(create)]
  return withDocumentedKeys(didWebDocument(row.did, didWebKeysFrom(keys)), keys)
}

/** Returns the content of a DID. `keys` are in the order of the document. */
function withDocumentedKeys(document: DidDocument, keys: KeyRow[]): DidRowContent & { keys: KeyRow[] } {
  const documentedKeys = document.verificationMethod.map(({ id }, at) => {
    const key = keys[at]
    if (!key) throw new Error('a key of a document is missing')
    return { didDocumentKeyId: id, keyId: key.id }
  })
  return { did: document.id, document, documentedKeys, keys }
}
