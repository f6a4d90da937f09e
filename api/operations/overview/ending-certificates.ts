import type { UsedCertificate } from '../../../db/repos/certificates/used-certificates.ts'
import { dayMs, hourMs, plusMs } from '../../../shared/clock.ts'
import { needsActiveAuthority, renewalDeadline, signerKinds } from '../../../shared/domain/certificates/certificates.ts'
import type { CertificateKind, SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Severity } from './severity.ts'

/** So long before its end an operator is told of a certificate that nobody else replaces. */
const toldBeforeDays = 60

export interface EndingCertificate {
  id: string
  kind: CertificateKind
  authorityId?: string
  endsAt: string
  daysLeft: number
  renewal: 'operator' | 'late'
  severity: Severity
}

/**
 * Which of the certificates in use end soon, so that somebody has to do something: a signer that another one outlives under the same
 * authority is replaced already, and one that the service replaces is told of when that has been due for an hour.
 */
export function endingCertificates(used: UsedCertificate[], at: Date): EndingCertificate[] {
  return used.flatMap((each) => {
    const isOurs = isRenewedByService(each, at)
    const from = isOurs ? renewalDeadline(each.kind, plusMs(at, -hourMs)) : plusMs(at, toldBeforeDays * dayMs)
    if (each.notAfter > from || isReplaced(each, used, at)) return []
    const daysLeft = Math.floor((each.notAfter.getTime() - at.getTime()) / dayMs)
    return [
      {
        id: each.id,
        kind: each.kind,
        ...(each.caId !== null && { authorityId: each.caId }),
        endsAt: each.notAfter.toISOString(),
        daysLeft,
        renewal: isOurs ? ('late' as const) : ('operator' as const),
        severity: severityOf(daysLeft, isOurs),
      },
    ]
  })
}

function severityOf(daysLeft: number, isLate: boolean): Severity {
  if (daysLeft < 7) return 'critical'
  return daysLeft < 30 || isLate ? 'warning' : 'notice'
}

/** As `findEndingSigners` has it: its key and that of its authority are here, and the authority outlives it. */
function isRenewedByService(each: UsedCertificate, at: Date): each is UsedCertificate & { kind: SignerKind } {
  const { kind, isManaged, notAfter, authority } = each
  if (!isSignerKind(kind) || !isManaged || !authority?.notAfter || notAfter <= at) return false
  return authority.notAfter > notAfter && (authority.isActive || !needsActiveAuthority(kind))
}

function isReplaced({ id, kind, caId }: UsedCertificate, used: UsedCertificate[], at: Date): boolean {
  const lastsUntil = plusMs(at, toldBeforeDays * dayMs)
  return used.some(
    (each) => caId !== null && each.id !== id && each.kind === kind && each.caId === caId && each.notAfter > lastsUntil,
  )
}

function isSignerKind(kind: CertificateKind): kind is SignerKind {
  return signerKinds.some((each) => each === kind)
}
