import type { KeyObject } from 'node:crypto'
import { certificateFromPem } from '../../../../shared/formats/certificate.ts'
import { FormatError } from '../../../../shared/formats/format-error.ts'
import { profileFaults } from '../../../../shared/formats/x509/check-profile.ts'
import { certificateSubject } from '../../../../shared/formats/x509/name.ts'
import { type AuthorityKind, certificateProfiles, type IssuedKind } from '../../../../shared/formats/x509/profiles.ts'
import { type ReadCertificate, readCertificate } from '../../../../shared/formats/x509/read-certificate.ts'
import type { IssuerReference } from './ceremony-file.ts'
import type { CeremonyKey } from './ceremony-keys.ts'
import { type CeremonyAuthority, type CeremonySession, WrongItem } from './ceremony-session.ts'
import { makeKey, spkiOf } from './make-key.ts'
import { signCertificate } from './sign-certificate.ts'

/** Where an item names an authority. */
export interface AuthorityPlace {
  field: 'issuer' | 'next'
  /** The kinds that the authority can have. */
  kinds: readonly AuthorityKind[]
  named: IssuerReference
}

/** Returns the authority that a field names: that of an item above, or that of a certificate beside the ceremony file. */
export function getAuthority(session: CeremonySession, { field, kinds, named }: AuthorityPlace): CeremonyAuthority {
  const earlier = session.authorities.get(keyOf(named))
  if (!earlier && typeof named === 'string') throw new WrongItem(field, `There is no item above with the id "${named}"`)
  const authority = earlier ?? readAuthority(session, field, kinds, named as Exclude<IssuerReference, string>)
  if (kinds.some((kind) => kind === authority.kind)) return authority
  throw new WrongItem(field, `Must be ${kinds.map((kind) => nameOfKind(kind)).join(' or ')}`)
}

function nameOfKind(kind: AuthorityKind): string {
  const { article, name } = certificateProfiles[kind]
  return `${article} ${name}`
}

/** Returns the authority of a field with the key that signs. `id`: the item that needs it. */
export async function signingAuthority(
  session: CeremonySession,
  place: AuthorityPlace,
  id: string,
): Promise<CeremonyAuthority & { key: CeremonyKey }> {
  const authority = getAuthority(session, place)
  const { key = await existingKey(session, id, authority) } = authority
  const { field, named } = place
  if (key) return remember(session, named, { ...authority, key })
  if (session.hasStandIns) return remember(session, named, await standIn(session, id, authority))
  throw new WrongItem(field, `${session.keys.place} has no key of the certificate. Check the file of --machine.`)
}

async function existingKey({ keys, recorder }: CeremonySession, id: string, { publicKey }: CeremonyAuthority) {
  const key = await keys.findByPublicKey(publicKey)
  if (key && !recorder.find('key found', id))
    recorder.append({ step: 'key found', id, publicKey: spkiOf(key), handle: key.handle })
  return key
}

function remember<Signing extends CeremonyAuthority>(
  { authorities }: CeremonySession,
  named: IssuerReference,
  authority: Signing,
): Signing {
  authorities.set(keyOf(named), authority)
  return authority
}

function keyOf(named: IssuerReference): string {
  return typeof named === 'string' ? named : named.sha256
}

function readAuthority(
  { ceremony, clock }: CeremonySession,
  field: string,
  kinds: readonly AuthorityKind[],
  { file }: Exclude<IssuerReference, string>,
): CeremonyAuthority {
  try {
    const certificate = readCertificate(certificateFromPem(ceremony.inputs.get(file)?.toString('utf8') ?? ''))
    const faults = kinds.map((kind) => profileFaults({ kind, certificate, at: clock.now() }))
    const kind = kinds[faults.findIndex((each) => each.length === 0)]
    if (kind) return authorityFrom(kind, certificate)
    throw new WrongItem(field, `${file}: ${faults[0]?.join('. ')}.`)
  } catch (error) {
    if (error instanceof FormatError) throw new WrongItem(field, `${file}: ${error.message}`)
    throw error
  }
}

export function authorityFrom(kind: IssuedKind, certificate: ReadCertificate, key?: CeremonyKey): CeremonyAuthority {
  const publicKey: KeyObject = certificate.publicKey
  return { kind, certificate, name: certificate.subject, publicKey, ...(key && { key }) }
}

/** Returns an authority like an existing one, with a new key. A rehearsal writes its certificate, because others are signed by it. */
async function standIn(
  session: CeremonySession,
  id: string,
  { kind, certificate }: CeremonyAuthority,
): Promise<CeremonyAuthority & { key: CeremonyKey }> {
  const subject = certificateSubject(certificate.subject)
  if (!subject) throw new WrongItem('issuer', 'Its subject has no country or no common name')
  const { validFromDate: notBefore, validToDate: notAfter } = certificate.certificate
  // The id of an item has no full stop.
  const issuerId = `${id}.issuer`
  const key = await makeKey(session, issuerId)
  const urls = {
    subjectUrl: contactIn(certificate) ?? '',
    issuerUrl: contactIn(certificate) ?? '',
    crlUrl: crlIn(certificate) ?? '',
  }
  const made = await signCertificate(session, {
    ...{ id: issuerId, kind, subject, publicKey: key.publicKey, key, randomOctets: 16 },
    ...{ validity: { notBefore, notAfter }, ...urls },
  })
  return { ...authorityFrom(kind, made), key }
}

/** The first URI of the issuerAltName. */
export function contactIn({ issuerAltName }: ReadCertificate): string | undefined {
  return issuerAltName?.find((each) => each.uniformResourceIdentifier)?.uniformResourceIdentifier
}

/** The first URI of the cRLDistributionPoints. */
export function crlIn({ distributionPoints }: ReadCertificate): string | undefined {
  return distributionPoints?.[0]?.distributionPoint?.fullName?.[0]?.uniformResourceIdentifier
}
