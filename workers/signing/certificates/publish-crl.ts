import { hold } from '../../../db/hold.ts'
import { isComplete } from '../../../db/repos/certificates/certificates.ts'
import {
  findCrl,
  findRevokedCertificates,
  isCrlDue,
  markPublished,
  replaceCrl,
} from '../../../db/repos/certificates/crls.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { SigningDeps } from '../deps.ts'
import { openAuthority } from './authority.ts'
import { makeCrl } from './make-crl.ts'

/**
 * Publishes the next CRL of an authority if the last one lacks a revocation or is due. Publications are sequential, because each holds the
 * authority. Therefore a CRL contains all revocations that were committed before, and its number follows the last one.
 */
export async function publishCrl(
  { db, keyring, clock, signerCache }: SigningDeps,
  { tenantId, caId }: Payload<'publishCrl'>,
): Promise<Record<string, never>> {
  await db.tx(async (tx) => {
    const ca = await hold(tx, certificates, tenantId, caId)
    const last = await findCrl(tx, tenantId, caId)
    const at = clock.now()
    // An authority that has ended gets no further CRL.
    if (!isComplete(ca) || !last || ca.notAfter <= at) return
    const revoked = await findRevokedCertificates(tx, tenantId, caId)
    const missing = revoked.filter(({ publishedAt }) => publishedAt === null)
    if (missing.length === 0 && !isCrlDue(last, at)) return
    const next = await makeCrl(tenantId, await openAuthority(tx, keyring, ca), { after: last.number, revoked, at })
    if (!(await replaceCrl(tx, next, last.number))) throw new Error('the CRL of a held authority was replaced')
    const serialNumbers = missing.map(({ serialNumber }) => serialNumber)
    await markPublished(tx, tenantId, caId, serialNumbers, at)
  })
  // A revoked signer signs no more.
  signerCache.clear()
  return {}
}
