import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import {
  type CertificateRow,
  type CompleteCertificate,
  findCertificateRow,
  insertCertificate,
  isComplete,
} from '../../../db/repos/certificates/certificates.ts'
import { findSigningRoot } from '../../../db/repos/certificates/find-signing-root.ts'
import {
  findSigningAuthority,
  type SignerRequirements,
  signerSpareMs,
} from '../../../db/repos/certificates/signing-authorities.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { plusMs } from '../../../shared/clock.ts'
import {
  certificateEvents,
  namedAuthority,
  needsActiveAuthority,
  signerSubject,
} from '../../../shared/domain/certificates/certificates.ts'
import { type ListKind, signerKindOf } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { certifierOf, type SignerKind } from '../../../shared/formats/x509/profiles.ts'
import { newId, newOrderedId } from '../../../shared/ids.ts'
import type { Signer } from '../keys/signer.ts'
import { txWithKeys } from '../keys/tx-with-keys.ts'
import { certificateKeyOf } from './authority.ts'
import { holdServedTenant, makeCertificateContent } from './certificate-content.ts'
import type { CertificateDeps, NewCertificateDeps } from './deps.ts'
import type { CertificateSigner } from './signer-cache.ts'

/**
 * Returns the signer of the tenant's mobile credentials: the newest usable document signer of the newest active IACA that can sign. Creates it
 * if the IACA is managed and has none. Do not call this in a transaction. Throws `credential_request_denied` with the reason if there is no signer.
 */
export async function documentSigner(deps: CertificateDeps, tenantId: string): Promise<CertificateSigner> {
  return signerOf(deps, tenantId, 'document-signer')
}

/**
 * Returns the signer of the tenant's SD-JWT VCs, under the authority that the configuration names, or the newest active IACA. Otherwise like
 * `documentSigner`.
 */
export async function sdJwtSigner(deps: CertificateDeps, tenantId: string, caId?: string): Promise<CertificateSigner> {
  return signerOf(deps, tenantId, 'sd-jwt-signer', caId)
}

/**
 * Returns the signer of the status lists of an IACA's credentials, also of an inactive IACA, because its credentials are in use. Otherwise
 * like `documentSigner`.
 */
export async function statusListSigner(
  deps: CertificateDeps,
  tenantId: string,
  iacaId: string,
): Promise<CertificateSigner> {
  return signerOf(deps, tenantId, 'status-list-signer', iacaId)
}

/**
 * Returns the signer of the tenant's trusted lists of a kind under an active ecosystem CA. Otherwise like `documentSigner`, but throws `bad_request`
 * with the reason in its message.
 */
export async function trustedListSigner(
  deps: CertificateDeps,
  { tenantId, kind }: { tenantId: string; kind: ListKind },
): Promise<CertificateSigner> {
  return signerOf(deps, tenantId, signerKindOf(kind))
}

async function signerOf(
  deps: CertificateDeps,
  tenantId: string,
  kind: SignerKind,
  caId?: string,
): Promise<CertificateSigner> {
  const { db, keyring, clock, signerCache } = deps
  const at = clock.now()
  const name = [tenantId, kind, caId].join(' ')
  const cachedSigner = signerCache.get(name)
  if (cachedSigner && cachedSigner.notBefore <= at && cachedSigner.notAfter > plusMs(at, signerSpareMs))
    return cachedSigner
  const query = { kind, caId, at }
  const signing = await findSigningRoot(db.read, tenantId, query)
  if ('missing' in signing) throw missingSigner(kind, signing.missing)
  const row = signing.signer ?? (await makeSigner(deps, signing.authority, query))
  const signer = signerFrom(row, await certificateKeyOf(db.read, keyring, row))
  signerCache.set(name, signer)
  return signer
}

function signerFrom(row: CompleteCertificate, key: Signer): CertificateSigner {
  const { id: certificateId, caId, certificate: certificateDer, intermediate: intermediateDer } = row
  const { notBefore, notAfter, subject } = row
  const { country, stateOrProvinceName } = subject
  const place = { country, ...(stateOrProvinceName !== undefined && { stateOrProvinceName }) }
  return { certificateId, caId: caId ?? '', certificateDer, intermediateDer, key, notBefore, notAfter, ...place }
}

async function makeSigner(
  deps: CertificateDeps,
  { tenantId, id: caId }: CertificateRow,
  query: SignerRequirements,
): Promise<CompleteCertificate> {
  const { kind } = query
  const made = await txWithKeys(deps, async (tx, txDeps) => {
    const tenant = await holdServedTenant(tx, tenantId)
    // Of two concurrent transactions, the second finds the signer of the first.
    const ca = await hold(tx, certificates, tenantId, caId)
    // The authority can have been deactivated meanwhile.
    if (!ca || (needsActiveAuthority(kind) && !ca.isActive)) return undefined
    const signing = await findSigningAuthority(tx, tenantId, { ...query, caId })
    return signing?.signer ?? addSigner(tx, txDeps, tenant, ca, kind)
  })
  if (!made) throw new Problem('service_unavailable', { retryAfterSeconds: 1 })
  return made
}

/** The reason of a refused credential is for its issuer, not for the wallet. Lists are published by operators, who see the message. */
function missingSigner(kind: SignerKind, reason: string): Problem {
  if (certifierOf(kind) === 'ecosystem-ca') return new Problem('bad_request', { message: reason })
  return new Problem('credential_request_denied', { reason, check: 'signer' })
}

/** Creates a signer under an authority that the transaction holds. */
export async function addSigner(
  tx: Writer,
  deps: NewCertificateDeps,
  tenant: TenantRow,
  ca: CertificateRow,
  kind: SignerKind,
): Promise<CompleteCertificate> {
  const { tenantId } = ca
  const at = deps.clock.now()
  const id = deps.once(`${kind} of ${ca.id}`, newId)
  const row = await insertCertificate(tx, {
    ...{ id, tenantId, kind, caId: ca.id, isManaged: true, madeBy: 'service', isActive: true },
    subject: signerSubject(kind, ca.subject, tenant.canonicalHost),
    createdAt: at,
  })
  await makeCertificateContent(tx, deps, tenant, row, ca)
  const made = await findCertificateRow(tx, tenantId, row.id)
  if (!isComplete(made)) throw new Error('a signer was created without its certificate')
  const authority = namedAuthority(certifierOf(kind), ca.id)
  const entry = { tenantId, type: `${certificateEvents[kind]}_CREATE_AUDIT`, requestId: newOrderedId(at) }
  await appendToAudit(tx, [{ ...entry, data: { id: row.id, ...authority, madeBy: 'service' } }], at)
  return made
}
