import { verify } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { CertificateList } from '@peculiar/asn1-x509'
import { dayMs, plusMs } from '../../../../shared/clock.ts'
import { wholeSeconds } from '../../../../shared/domain/certificates/certificates.ts'
import { buildCrl } from '../../../../shared/formats/x509/build-crl.ts'
import type { CrlItem } from './ceremony-file.ts'
import type { CeremonyKey } from './ceremony-keys.ts'
import { type CeremonyAuthority, type CeremonySession, outputName, WrongItem } from './ceremony-session.ts'
import type { CrlPlan } from './ceremony-step.ts'

/** Signs a CRL once and writes it in DER. */
export async function signCrl(
  session: CeremonySession,
  item: CrlItem,
  issuer: CeremonyAuthority & { key: CeremonyKey },
): Promise<void> {
  const { recorder, clock } = session
  const { id, number, revoked } = item
  const file = outputName(session, id, 'crl')
  const now = clock.now()
  requireDistinct(item, now)
  const plan = recorder.find('crl planned', id) ?? planCrl(session, item, issuer, wholeSeconds(now))
  const written = recorder.output(file)
  const list =
    written ??
    (await buildCrl({
      ...{ issuer: { name: issuer.name, key: issuer.key }, number },
      ...{ thisUpdate: new Date(plan.thisUpdate), nextUpdate: new Date(plan.nextUpdate) },
      revoked: revoked.map(({ serialNumber, revokedAt }) => ({ serialNumber, revokedAt: new Date(revokedAt) })),
    }))
  if (!isCrlOf(list, issuer)) throw new WrongItem('', `${file} is not signed by its authority`)
  if (!recorder.find('file written', id)) recorder.write(id, file, list)
}

/** Returns whether the key of an authority verifies a CRL in DER. */
function isCrlOf(der: Buffer, { publicKey }: Pick<CeremonyAuthority, 'publicKey'>): boolean {
  try {
    const { tbsCertList, signature } = AsnConvert.parse(der, CertificateList)
    return verify('sha256', Buffer.from(AsnConvert.serialize(tbsCertList)), publicKey, Buffer.from(signature))
  } catch {
    return false
  }
}

function requireDistinct({ revoked }: CrlItem, now: Date): void {
  const serialNumbers = new Set<string>()
  for (const [index, { serialNumber, revokedAt }] of revoked.entries()) {
    if (serialNumbers.has(serialNumber))
      throw new WrongItem(`revoked.${index}.serialNumber`, 'Occurs twice. Remove one.')
    if (new Date(revokedAt) > now) throw new WrongItem(`revoked.${index}.revokedAt`, 'Must not be in the future')
    serialNumbers.add(serialNumber)
  }
}

function planCrl(
  { recorder, mode }: CeremonySession,
  item: CrlItem,
  { certificate }: CeremonyAuthority,
  thisUpdate: Date,
): CrlPlan {
  const { id, number, nextUpdateDays } = item
  const end = plusMs(thisUpdate, (mode === 'rehearsal' ? 1 : nextUpdateDays) * dayMs)
  const nextUpdate = new Date(Math.min(end.getTime(), certificate.certificate.validToDate.getTime()))
  const plan: CrlPlan = {
    ...{ step: 'crl planned', id, number },
    ...{ thisUpdate: thisUpdate.toISOString(), nextUpdate: nextUpdate.toISOString() },
  }
  recorder.append(plan)
  return plan
}
