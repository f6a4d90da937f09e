import { hold } from '../../../db/hold.ts'
import { findCertificateRow, isComplete } from '../../../db/repos/certificates/certificates.ts'
import {
  findCrl,
  findRevokedCertificates,
  isCrlDue,
  markPublished,
  replaceCrl,
} from '../../../db/repos/certificates/crls.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { SigningDeps } from '../deps.ts'
import { openAuthority } from './authority.ts'
import { makeCrl } from './make-crl.ts'

/**
 * Publishes the next CRL of an authority if the last one lacks a revocation or is due. No transaction waits for the signature, because the key
 * can be in a device. If another process has replaced the last CRL meanwhile, the next one is made again. Therefore a CRL contains all
 * revocations of the one before, and its number follows.
 */
export async function publishCrl(
  deps: SigningDeps,
  { tenantId, caId }: Payload<'publishCrl'>,
): Promise<Record<string, never>> {
  for (let attempt = 1; !(await publishNext(deps, tenantId, caId)); attempt++) {
    if (attempt === maxAttempts) throw new Problem('service_unavailable', { message: contended, retryAfterSeconds: 2 })
  }
  // A revoked signer signs no more.
  deps.signerCache.clear()
  return {}
}

const maxAttempts = 8
const contended = 'Other processes replaced the CRL while this one was signed. Try again in some seconds.'

/** Returns false if another process replaced the last CRL. */
async function publishNext({ db, keyring, clock }: SigningDeps, tenantId: string, caId: string): Promise<boolean> {
  const ca = await findCertificateRow(db.read, tenantId, caId)
  // Before the revocations, so that none of an earlier CRL is missing.
  const last = await findCrl(db.read, tenantId, caId)
  const at = clock.now()
  // An authority that has ended gets no further CRL.
  if (!isComplete(ca) || !last || ca.notAfter <= at) return true
  const revoked = await findRevokedCertificates(db.read, tenantId, caId)
  const missing = revoked.filter(({ publishedAt }) => publishedAt === null)
  if (missing.length === 0 && !isCrlDue(last, at)) return true
  const next = await makeCrl(tenantId, await openAuthority(db.read, keyring, ca), { after: last.number, revoked, at })
  return db.tx(async (tx) => {
    if (!(await hold(tx, certificates, tenantId, caId))) return true
    if (!(await replaceCrl(tx, next, last.number))) return false
    const serialNumbers = missing.map(({ serialNumber }) => serialNumber)
    await markPublished(tx, tenantId, caId, serialNumbers, at)
    return true
  })
}
