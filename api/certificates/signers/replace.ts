import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Writer } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/engine/unique-violation.ts'
import { hold, holdShared } from '../../../db/hold.ts'
import {
  type CertificateRow,
  type CompleteCertificate,
  findCertificate,
  isComplete,
  updateCertificate,
} from '../../../db/repos/certificates/certificates.ts'
import { findPublishedKeys } from '../../../db/repos/identifiers/keys.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { resignListsOfSigner } from '../../../db/repos/status/publishing.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { certificateProfiles, certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Deps } from '../../deps.ts'
import { presentCertificate } from '../present.ts'
import { contentOfChain } from '../upload.ts'

interface SignerChange {
  tenantId: string
  kind: SignerKind
  /** The parameter that has the id. */
  param: string
  id: string
  active: boolean
  certificatePem?: string | undefined
  requireMatch(before: CertificateRow): Promise<void>
}

/**
 * Makes a signer active or inactive, and stores its first or a new certificate, which must have the key of its signing request. Throws
 * `not_found` and `bad_request`.
 */
export async function replaceSigner(
  { clock }: Deps,
  change: Change,
  signerChange: SignerChange,
): Promise<CertificateRow> {
  const { tenantId, id, active, certificatePem } = signerChange
  const replaced = change(async (tx, record) => {
    const at = clock.now()
    const { row, ca } = await lockSigner(tx, signerChange)
    await signerChange.requireMatch(row)
    // The current certificate is no change.
    const isNew = certificatePem !== undefined && certificatePem !== presentCertificate(row).certificatePem
    const content = isNew ? await newContent(tx, row, ca, certificatePem, at) : {}
    if (active) requireUsable({ ...row, ...content }, at)
    if (row.isActive && !active) await resignListsOfSigner(tx, tenantId, id, at)
    record(tenantId, { id, active, ...('fingerprint' in content && { fingerprint: content.fingerprint }) })
    return (await updateCertificate(tx, row, { ...content, isActive: active })) ?? row
  })
  return replaced.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    const authority = certificateProfiles[certifierOf(signerChange.kind)].name
    throw wrongField('certificatePem', `Another certificate of the ${authority} has the same serial number`)
  })
}

/** Locks a signer, and its authority shared. Returns both. Throws `not_found`. */
export async function lockSigner(
  tx: Writer,
  { tenantId, kind, param, id }: Pick<SignerChange, 'tenantId' | 'kind' | 'param' | 'id'>,
): Promise<{ row: CertificateRow; ca: CompleteCertificate }> {
  const signer = await findCertificate(tx, tenantId, kind, id)
  const ca = signer?.caId && (await holdShared(tx, certificates, tenantId, signer.caId))
  const row = await hold(tx, certificates, tenantId, id)
  if (!row || !ca || !isComplete(ca)) throw notFound(param, id)
  return { row, ca }
}

async function newContent(
  tx: Writer,
  row: CertificateRow,
  ca: CompleteCertificate,
  pem: string,
  at: Date,
): Promise<ReturnType<typeof contentOfChain>> {
  if (row.isManaged)
    throw wrongField(
      'certificatePem',
      `The ${certificateProfiles[ca.kind].name} is managed: this service issues the certificates of its signers. Leave this field out.`,
    )
  return contentOfChain(pem, { kind: row.kind, ca, publicKey: await publicKeyOf(tx, row, at), at })
}

async function publicKeyOf(tx: Writer, { tenantId, id }: CertificateRow, at: Date): Promise<KeyObject> {
  const [key] = await findPublishedKeys(tx, tenantId, { kind: 'certificate', id }, 'certificate', at)
  if (!key) throw new Error(`certificate ${id} has no key`)
  return createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' })
}

function requireUsable(row: CertificateRow, at: Date): void {
  if (!isComplete(row)) throw wrongField('certificatePem', 'Required to make the signer active')
  if (row.revokedAt) throw wrongField('active', 'A revoked signer cannot be activated')
  if (row.retiredAt) throw wrongField('active', 'The signer was replaced by a newer one and cannot be activated')
  if (row.notAfter <= at) throw wrongField('active', 'An expired signer cannot be activated')
}
