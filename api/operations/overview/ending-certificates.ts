import type { UsedCertificate } from '../../../db/repos/certificates/used-certificates.ts'
import { dayMs, hourMs, plusMs } from '../../../shared/clock.ts'
import { needsActiveAuthority, renewalDeadline, signerKinds } from '../../../shared/domain/certificates/certificates.ts'
import type { CertificateKind, SignerKind } from '../../../shared/formats/x509/profiles.ts'
import type { Severity } from './severity.ts'

/** A certificate that the operator must replace is reported this long before its end. */
const reportedBeforeDays = 60

export interface EndingCertificate {
  id: string
  kind: CertificateKind | RegistrationKind
  authorityId?: string
  endsAt: string
  daysLeft: number
  renewal: 'operator' | 'late'
  severity: Severity
}

/**
 * Returns the certificates in use that end soon and need an action. A signer counts as replaced if another signer of the same
 * authority ends later. A certificate that the service renews is reported when its renewal is an hour late.
 */
export function endingCertificates(used: UsedCertificate[], at: Date): EndingCertificate[] {
  return used.flatMap((each) => {
    const isRenewed = isRenewedByService(each, at)
    const from = isRenewed ? renewalDeadline(each.kind, plusMs(at, -hourMs)) : plusMs(at, reportedBeforeDays * dayMs)
    if (each.notAfter > from || isReplaced(each, used, at)) return []
    const daysLeft = Math.floor((each.notAfter.getTime() - at.getTime()) / dayMs)
    return [
      {
        id: each.id,
        kind: each.kind,
        ...(each.caId !== null && { authorityId: each.caId }),
        endsAt: each.notAfter.toISOString(),
        daysLeft,
        renewal: isRenewed ? ('late' as const) : ('operator' as const),
        severity: severityOf(daysLeft, isRenewed),
      },
    ]
  })
}

/** The certificates with which wallets recognize the tenant as a registered provider. Others issue them. */
export type RegistrationKind = 'access-certificate' | 'registration-certificate'

/** Returns the ones of these certificates that end soon or have ended. */
export function endingRegistrations(
  certificates: readonly { id: string; kind: RegistrationKind; notAfter: Date }[],
  at: Date,
): EndingCertificate[] {
  return certificates
    .filter(({ notAfter }) => notAfter <= plusMs(at, reportedBeforeDays * dayMs))
    .map(({ id, kind, notAfter }) => {
      const daysLeft = Math.floor((notAfter.getTime() - at.getTime()) / dayMs)
      const severity = severityOf(daysLeft, false)
      return { id, kind, endsAt: notAfter.toISOString(), daysLeft, renewal: 'operator', severity }
    })
}

function severityOf(daysLeft: number, isLate: boolean): Severity {
  if (daysLeft < 7) return 'critical'
  return daysLeft < 30 || isLate ? 'warning' : 'notice'
}

/** Returns the condition of `findEndingSigners`: the service has both keys, and the authority ends later. */
function isRenewedByService(each: UsedCertificate, at: Date): each is UsedCertificate & { kind: SignerKind } {
  const { kind, isManaged, notAfter, authority } = each
  if (!isSignerKind(kind) || !isManaged || !authority?.notAfter || notAfter <= at) return false
  return authority.notAfter > notAfter && (authority.isActive || !needsActiveAuthority(kind))
}

function isReplaced({ id, kind, caId }: UsedCertificate, used: UsedCertificate[], at: Date): boolean {
  const lastsUntil = plusMs(at, reportedBeforeDays * dayMs)
  return used.some(
    (each) => caId !== null && each.id !== id && each.kind === kind && each.caId === caId && each.notAfter > lastsUntil,
  )
}

function isSignerKind(kind: CertificateKind): kind is SignerKind {
  return signerKinds.some((each) => each === kind)
}
