import type { CrlRow } from '../../../db/repos/certificates/crls.ts'
import { plusMs } from '../../../shared/clock.ts'
import { wholeSeconds } from '../../../shared/domain/certificates/certificates.ts'
import { buildCrl } from '../../../shared/formats/x509/build-crl.ts'
import type { Authority } from './authority.ts'

/** Verifiers may go on with a CRL for so long; each is made anew after a day. */
const livesForMs = 30 * 24 * 3_600_000

/**
 * The CRL of an authority as it is to be stored. It does not outlive the authority. Its number is higher than that of the one
 * `after` which it comes, and at least the minutes since 1970, so that it is new as well where a database was restored.
 */
export function makeCrl(
  tenantId: string,
  authority: Authority,
  { after, revoked, at }: { after: number; revoked: readonly { serialNumber: string; revokedAt: Date }[]; at: Date },
): CrlRow {
  const thisUpdate = wholeSeconds(at)
  const nextUpdate = new Date(Math.min(plusMs(thisUpdate, livesForMs).getTime(), authority.notAfter.getTime()))
  // Another process's clock may be ahead of this one's.
  const past = revoked.map(({ serialNumber, revokedAt }) => ({
    serialNumber,
    revokedAt: wholeSeconds(revokedAt < thisUpdate ? revokedAt : thisUpdate),
  }))
  const number = Math.max(after + 1, Math.floor(at.getTime() / 60_000))
  const content = buildCrl({ issuer: authority, number, thisUpdate, nextUpdate, revoked: past })
  return { caId: authority.id, tenantId, number, content, thisUpdate, nextUpdate }
}
