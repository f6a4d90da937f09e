import { holdTenant } from '../../../db/hold.ts'
import { insertKeys } from '../../../db/repos/identifiers/keys.ts'
import {
  countAccessCertificates,
  findAccessCertificate,
  insertAccessCertificate,
} from '../../../db/repos/issuance/access-certificates.ts'
import { appendToAudit } from '../../../db/repos/operations/audit/audit.ts'
import { auditEntry } from '../../../db/repos/operations/audit/audited.ts'
import { accessKeyPart } from '../../../shared/domain/identifiers/key-policy.ts'
import { accessKeyOwner, maxAccessCertificates } from '../../../shared/domain/issuance/access-certificates.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { buildAccessCsr } from '../../../shared/formats/x509/build-csr.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import { txWithKeys } from '../keys/tx-with-keys.ts'
import type { CertificateDeps } from './deps.ts'

/** Creates the key and the certificate request of an access certificate. Does nothing if the row exists. */
export async function makeAccessCertificate(
  deps: CertificateDeps,
  { tenantId, id, subject, contactUrl, by }: Payload<'makeAccessCertificate'>,
): Promise<Record<string, never>> {
  await txWithKeys(deps, async (tx, { keyring, clock, newKey }) => {
    // The lock makes concurrent transactions count the rows of each other. A deleted tenant gets no keys.
    const tenant = await holdTenant(tx, tenantId)
    if (tenant?.state !== 'active') throw new Problem('not_found')
    if (await findAccessCertificate(tx, tenantId, id)) return
    if ((await countAccessCertificates(tx, tenantId)) >= maxAccessCertificates) throw tooMany()
    const at = clock.now()
    const place = { part: accessKeyPart, policy: tenant.settings.keys }
    const key = newKey(
      { tenantId, owner: accessKeyOwner(id), ...place, purpose: 'certificate', algorithm: 'ES256' },
      at,
    )
    const csr = await buildAccessCsr(subject, await keyring.openSigner(key), contactUrl)
    await insertKeys(tx, [key])
    const uncertified = { chain: null, certified: null, fingerprint: null, notBefore: null, notAfter: null }
    await insertAccessCertificate(tx, { id, tenantId, subject, csr, ...uncertified, isActive: false, createdAt: at })
    await appendToAudit(tx, [auditEntry(by, tenantId, { id })], at)
  })
  return {}
}

function tooMany(): Problem {
  const message = `A tenant can have at most ${maxAccessCertificates} access certificates. Delete one first.`
  return new Problem('conflict', { message })
}
