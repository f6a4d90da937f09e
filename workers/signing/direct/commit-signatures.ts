import type { Writer } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { insertSigned } from '../../../db/repos/credentials/signed.ts'
import { insertStored, type NewStoredCredential } from '../../../db/repos/credentials/stored.ts'
import { recordListChanges } from '../../../db/repos/status/entries.ts'
import { insertEntries } from '../../../db/repos/status/lists.ts'
import type { Signature, SignatureRequest } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'
import type { StatusIndex } from '../lists/status-index-allocator.ts'
import { documentRow, sdJwtRow } from '../stored-rows.ts'

export interface SignedDirectly {
  request: SignatureRequest
  statusIndex: StatusIndex | undefined
  credential: Signature['credential']
  /** The certificates of the signature, if there are any. All of them must be in use at the commit. */
  certificateIds: string[]
  /** The id of the certificate or of the key that signed. */
  signerId: string
}

/**
 * Writes the records of signed credentials with their entries. Returns the ids of the new records. Records that were signed or cancelled
 * before do not change. A credential whose certificate was revoked or deactivated meanwhile is not written. Returns undefined for a
 * deleted tenant.
 */
export async function commitSignatures(
  { db, clock, signerCache }: Pick<SigningDeps, 'db' | 'clock' | 'signerCache'>,
  tenantId: string,
  signed: SignedDirectly[],
): Promise<Set<string> | undefined> {
  return db.tx(async (tx) => {
    if ((await holdTenant(tx, tenantId))?.state !== 'active') return undefined
    const at = clock.now()
    const inUse = await holdInUse(
      tx,
      tenantId,
      signed.flatMap(({ certificateIds }) => certificateIds),
    )
    const valid = signed.filter(({ certificateIds }) => certificateIds.every((id) => inUse.has(id)))
    if (valid.length < signed.length) signerCache.clear()
    const rows = valid.map(({ request: { credentialId: id, content, issuedAt }, signerId }) => {
      return { id, tenantId, profile: content.profile, issuedAt: new Date(issuedAt), signerId }
    })
    const inserted = await insertSigned(tx, rows)
    const written = valid.filter(({ request }) => inserted.has(request.credentialId))
    await insertStored(tx, written.flatMap(storedRow))
    await writeEntries(tx, tenantId, written, at)
    return inserted
  })
}

async function writeEntries(tx: Writer, tenantId: string, written: SignedDirectly[], at: Date): Promise<void> {
  const entries = written.flatMap(({ request: { credentialId, isRevoked }, statusIndex }) => {
    if (!statusIndex) return []
    const status = isRevoked ? ('invalid' as const) : ('valid' as const)
    return [{ tenantId, listId: statusIndex.listId, position: statusIndex.index, credentialId, status }]
  })
  await insertEntries(tx, entries)
  const changed = entries.filter(({ status }) => status === 'invalid').map(({ listId }) => listId)
  await recordListChanges(tx, tenantId, new Set(changed), at)
}

function storedRow({ request, credential }: SignedDirectly): NewStoredCredential[] {
  const { credentialId: id, tenantId, issuedAt, content } = request
  const owner = { id, tenantId, userId: null, tag: null, createdAt: new Date(issuedAt) }
  if (content.profile === 'sd-jwt' && content.persist) return [sdJwtRow(credential, content.type, owner)]
  if (content.profile !== 'web-semantic' || !content.persist) return []
  const { tag = null } = content
  return [documentRow(credential, { ...owner, tag })]
}
