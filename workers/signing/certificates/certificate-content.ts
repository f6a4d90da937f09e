import { hash } from 'node:crypto'
import type { Writer } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import {
  type CertificateRow,
  isComplete,
  type StoredCertificateContent,
  updateCertificate,
} from '../../../db/repos/certificates/certificates.ts'
import { insertCrl } from '../../../db/repos/certificates/crls.ts'
import { insertKeys } from '../../../db/repos/identifiers/keys.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { isServed } from '../../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../../shared/clock.ts'
import { backdatedMs, crlPath, wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import { partOfCertificate } from '../../../shared/domain/identifiers/key-policy.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { buildCertificate, newSerialNumber } from '../../../shared/formats/x509/build-certificate.ts'
import { buildCsr } from '../../../shared/formats/x509/build-csr.ts'
import { nameOf } from '../../../shared/formats/x509/name.ts'
import { certificateProfiles, certifierOf, plusPeriod } from '../../../shared/formats/x509/profiles.ts'
import type { Signer } from '../keys/signer.ts'
import { type Authority, openAuthority, requireSignedBy } from './authority.ts'
import type { CertificateDeps, NewCertificateDeps } from './deps.ts'
import { makeCrl } from './make-crl.ts'

/**
 * Holds the tenant. Throws `not_found` if it is deleted, because it gets no new keys then. A tenant that moves gets signers, because its
 * lists are published.
 */
export async function holdServedTenant(tx: Writer, tenantId: string): Promise<TenantRow> {
  const tenant = await holdTenant(tx, tenantId)
  if (!tenant || !isServed(tenant)) throw new Problem('not_found')
  return tenant
}

/** Creates the content of a row that the transaction holds. */
export async function makeCertificateContent(
  tx: Writer,
  deps: NewCertificateDeps,
  tenant: TenantRow,
  row: CertificateRow,
  ca: CertificateRow | undefined,
): Promise<void> {
  const { keyring, clock, newKey } = deps
  const { tenantId, id } = row
  const at = clock.now()
  const owner = { kind: 'certificate', id } as const
  const place = { part: partOfCertificate(row.kind), policy: tenant.settings.keys }
  const keyRow = newKey({ tenantId, owner, ...place, purpose: 'certificate', algorithm: 'ES256' }, at)
  const key = await keyring.openSigner(keyRow)
  await insertKeys(tx, [keyRow])
  if (ca && !row.isManaged) {
    const { kind, subject } = row
    await updateCertificate(tx, row, { csr: await buildCsr({ kind, subject, key, subjectUrl: urlOf(deps, tenant) }) })
    return
  }
  const issuer = ca ? await authorityOf(tx, deps, ca) : rootOf(row, key)
  const content = await certify(deps, tenant, row, key, issuer)
  await updateCertificate(tx, row, content)
  if (!ca) await insertCrl(tx, await makeCrl(tenantId, { ...issuer, ...content }, { after: 0, revoked: [], at }))
}

async function authorityOf(tx: Writer, { keyring, clock }: CertificateDeps, ca: CertificateRow): Promise<Authority> {
  if (!isComplete(ca) || ca.notAfter <= clock.now())
    throw new Problem('conflict', {
      message: `The ${certificateProfiles[ca.kind].name} has expired. Create another one.`,
    })
  return openAuthority(tx, keyring, ca)
}

/** Returns the authority of a self-signed certificate. */
function rootOf({ id, subject, notBefore, notAfter }: CertificateRow, key: Signer): Authority {
  if (!notBefore || !notAfter) throw new Error('an authority needs its times')
  return { id, name: nameOf(subject), key, notBefore, notAfter }
}

async function certify(
  deps: NewCertificateDeps,
  tenant: TenantRow,
  { id, kind, subject, caId, notBefore, notAfter }: CertificateRow,
  { publicKey }: Signer,
  issuer: Authority,
): Promise<StoredCertificateContent> {
  const url = urlOf(deps, tenant)
  const times = caId === null ? { notBefore, notAfter } : {}
  const from = times.notBefore ?? latest(wholeSeconds(plusMs(deps.clock.now(), -backdatedMs)), issuer.notBefore)
  const to = times.notAfter ?? earliest(plusPeriod(from, certificateProfiles[kind].defaultValidity), issuer.notAfter)
  const serialNumber = deps.once(`serial number of ${id}`, newSerialNumber)
  const certificate = await buildCertificate({
    ...{ kind, subject, publicKey, issuer, serialNumber, notBefore: from, notAfter: to },
    ...{ subjectUrl: url, issuerUrl: url, crlUrl: url + crlPath(certifierOf(kind), issuer.id) },
  })
  requireSignedBy(certificate, issuer)
  const fingerprint = hash('sha256', certificate, 'hex')
  return { certificate, serialNumber, fingerprint, notBefore: from, notAfter: to, subject }
}

/** Returns the address of the tenant in certificates. */
function urlOf({ publicScheme }: CertificateDeps, { canonicalHost }: TenantRow): string {
  return `${publicScheme}://${canonicalHost}`
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other
}
