import type { CrlRow } from '../../../db/repos/certificates/crls.ts'
import { plusMs } from '../../../shared/clock.ts'
import { wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import { buildCrl } from '../../../shared/formats/x509/build-crl.ts'
import type { Authority } from './authority.ts'

/** Verifiers can use a CRL for this time. It is renewed after a day. */
const validForMs = 30 * 24 * 3_600_000

/**
 * Creates the CRL of an authority. It ends with the authority at the latest. Its number is higher than `after`, the number of the last CRL,
 * and at least the minutes since 1970. Therefore it is new also after a database was restored.
 */
export async function makeCrl(
  tenantId: string,
  authority: Authority,
  { after, revoked, at }: { after: number; revoked: readonly { serialNumber: string; revokedAt: Date }[]; at: Date },
): Promise<CrlRow> {
  const thisUpdate = wholeSeconds(at)
  const nextUpdate = new Date(Math.min(plusMs(thisUpdate, validForMs).getTime(), authority.notAfter.getTime()))
  // The clock of another process can be ahead.
  const past = revoked.map(({ serialNumber, revokedAt }) => ({
    serialNumber,
    revokedAt: wholeSeconds(revokedAt < thisUpdate ? revokedAt : thisUpdate),
  }))
  const number = Math.max(after + 1, Math.floor(at.getTime() / 60_000))
  const content = await buildCrl({ issuer: authority, number, thisUpdate, nextUpdate, revoked: past })
  return { caId: authority.id, tenantId, number, content, thisUpdate, nextUpdate }
}
