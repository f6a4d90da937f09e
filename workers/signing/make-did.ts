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
import { Problem } from '../../shared/errors/errors.ts'
import { type DidDocument, didKeyDocument, didWebDocument, didWebKeysFrom } from '../../shared/formats/did-document.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { auditKeys } from './audit-keys.ts'
import type { SigningDeps } from './deps.ts'
import type { Keyring } from './keys/keyring.ts'

/** Creates the keys and the document of a DID in one transaction. Does nothing if this was done or the row is deleted. */
export async function makeDid(
  { db, keyring, clock }: Pick<SigningDeps, 'db' | 'keyring' | 'clock'>,
  { tenantId, didId }: Payload<'makeDid'>,
): Promise<Record<string, never>> {
  const row = await findDidRow(db.read, tenantId, didId)
  if (!row || isCompleteDid(row)) return {}
  const at = clock.now()
  const { keys, ...content } = contentOf(keyring, row, at)
  await db.tx(async (tx) => {
    // A deleted tenant gets no new keys.
    if ((await holdTenant(tx, tenantId))?.state !== 'active') throw new Problem('not_found')
    if (!(await completeDid(tx, tenantId, didId, content))) return
    await insertKeys(tx, keys)
    const made = keys.map(({ id, purpose, algorithm }) => ({ id, purpose, algorithm }))
    await auditKeys(tx, tenantId, 'KEY_CREATE', { didId, did: content.did, keys: made }, at)
  })
  return {}
}

function contentOf(keyring: Keyring, row: DidRow, at: Date): DidRowContent & { keys: KeyRow[] } {
  const owner = { kind: 'did', id: row.id } as const
  const newKey = (algorithm: KeyAlgorithm) =>
    keyring.newKey({ tenantId: row.tenantId, owner, purpose: 'did', algorithm }, at)
  if (row.method === 'key') return contentOfDidKey(keyring, newKey(row.keyType ?? 'Ed25519'))
  if (row.did === null) throw new Error('a did:web row needs its DID')
  const keys = [newKey('ES256'), newKey('Ed25519'), newKey('Bls12381G2'), newKey('X25519')]
  return withDocumentedKeys(didWebDocument(row.did, didWebKeysFrom(keys)), keys)
}

function contentOfDidKey(keyring: Keyring, key: KeyRow): DidRowContent & { keys: KeyRow[] } {
  const agreement = key.algorithm === 'Ed25519' ? [keyring.agreementKeyOf(key)] : []
  return withDocumentedKeys(didKeyDocument(key.publicJwk), [key, ...agreement])
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
