import { type KeyObject, X509Certificate } from 'node:crypto'
import type { Name } from '@peculiar/asn1-x509'
import { dayMs, plusMs } from '../../../../shared/clock.ts'
import { backdatedMs, wholeSeconds } from '../../../../shared/domain/certificates/certificates.ts'
import { maxCommonNameLength } from '../../../../shared/domain/certificates/root-name.ts'
import { buildCertificate, newSerialNumber } from '../../../../shared/formats/x509/build-certificate.ts'
import { profileFaults } from '../../../../shared/formats/x509/check-profile.ts'
import { type CertificateSubject, nameOf } from '../../../../shared/formats/x509/name.ts'
import { type IssuedKind, plusPeriod } from '../../../../shared/formats/x509/profiles.ts'
import { type ReadCertificate, readCertificate } from '../../../../shared/formats/x509/read-certificate.ts'
import type { ValidityPeriod } from './ceremony-file.ts'
import type { CeremonyKey } from './ceremony-keys.ts'
import { type CeremonySession, outputName, WrongItem } from './ceremony-session.ts'
import type { CertificatePlan } from './ceremony-step.ts'

export interface CertificateToSign {
  id: string
  kind: IssuedKind
  subject: CertificateSubject
  publicKey: KeyObject
  /** The key that signs. */
  key: CeremonyKey
  /** The authority that signs. Absent for a root. */
  issuer?: { name: Name; certificate: ReadCertificate }
  validity: ValidityPeriod | { notBefore: Date; notAfter: Date }
  randomOctets: number
  subjectUrl: string
  issuerUrl: string
  crlUrl: string
}

/** Signs a certificate once and writes it. Throws an `WrongItem` if it violates the profile of its kind. */
export async function signCertificate(session: CeremonySession, content: CertificateToSign): Promise<ReadCertificate> {
  const { recorder } = session
  const { id } = content
  const file = outputName(session, id, 'pem')
  const plan = recorder.find('certificate planned', id) ?? planCertificate(session, content)
  const written = recorder.output(file)
  const certificate = checked(session, content, plan, new X509Certificate(written ?? (await sign(content, plan))))
  if (!recorder.find('file written', id)) recorder.write(id, file, Buffer.from(certificate.certificate.toString()))
  return certificate
}

function sign({ key, issuer, ...content }: CertificateToSign, plan: CertificatePlan): Promise<Buffer> {
  const { subject, serialNumber } = plan
  return buildCertificate({
    ...{ ...content, subject, serialNumber, issuer: { name: issuer?.name ?? nameOf(subject), key } },
    ...{ notBefore: new Date(plan.notBefore), notAfter: new Date(plan.notAfter) },
  })
}

function planCertificate({ recorder, mode, clock }: CeremonySession, content: CertificateToSign): CertificatePlan {
  const { id, kind, subject, validity, randomOctets, issuer } = content
  const isRehearsal = mode === 'rehearsal'
  const now = wholeSeconds(clock.now())
  const { notBefore, notAfter } = isRehearsal ? rehearsalTimes(now, issuer) : timesOf(validity, now)
  const { validFromDate, validToDate } = issuer?.certificate.certificate ?? {}
  if (validToDate && notAfter > validToDate)
    throw new WrongItem(
      'validity',
      `Ends at ${textOf(notAfter)}, after its issuer, which ends at ${textOf(validToDate)}`,
    )
  const first = validFromDate && validFromDate > notBefore ? validFromDate : notBefore
  const plan: CertificatePlan = {
    ...{ step: 'certificate planned', id, kind },
    subject: isRehearsal ? rehearsalSubject(subject) : subject,
    ...{ serialNumber: newSerialNumber(randomOctets), notBefore: textOf(first), notAfter: textOf(notAfter) },
  }
  recorder.append(plan)
  return plan
}

/** Compares a certificate with its plan and its profile. After an interruption, it can be one that was written before. */
function checked(
  { clock }: CeremonySession,
  { kind, publicKey, issuer }: CertificateToSign,
  { serialNumber }: CertificatePlan,
  certificate: X509Certificate,
): ReadCertificate {
  const read = readCertificate(certificate)
  const faults = [
    ...(read.serialNumber.toString('hex') === serialNumber ? [] : ['Its serial number is not the planned one']),
    ...profileFaults({
      kind,
      certificate: read,
      publicKey,
      at: clock.now(),
      ...(issuer && { issuer: issuer.certificate }),
    }),
  ]
  if (faults.length > 0) throw new WrongItem('', `The certificate is not valid. ${faults.join('. ')}.`)
  return read
}

const rehearsalMark = 'REHEARSAL '

/** A rehearsal names itself, and its certificates end after a day. */
function rehearsalSubject(subject: CertificateSubject): CertificateSubject {
  return { ...subject, commonName: (rehearsalMark + subject.commonName).slice(0, maxCommonNameLength).trimEnd() }
}

function rehearsalTimes(now: Date, issuer: CertificateToSign['issuer']): { notBefore: Date; notAfter: Date } {
  const notAfter = issuer?.certificate.certificate.validToDate ?? plusMs(now, dayMs)
  return { notBefore: plusMs(now, -backdatedMs), notAfter }
}

function timesOf(validity: CertificateToSign['validity'], now: Date): { notBefore: Date; notAfter: Date } {
  const { notBefore, notAfter } = validity
  if (notBefore && notAfter) return { notBefore: new Date(notBefore), notAfter: new Date(notAfter) }
  const from = plusMs(now, -backdatedMs)
  const { years, days = 0 } = validity as ValidityPeriod
  return { notBefore: from, notAfter: plusPeriod(from, years === undefined ? { days } : { years }) }
}

function textOf(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z')
}
