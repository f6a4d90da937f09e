import { FormatError } from '../../../../shared/formats/format-error.ts'
import { certificateSubject } from '../../../../shared/formats/x509/name.ts'
import { type AuthorityKind, certifierOf } from '../../../../shared/formats/x509/profiles.ts'
import { type ReadCsr, readCsr } from '../../../../shared/formats/x509/read-csr.ts'
import { faultAt, type LocalFileFault } from '../files/faults.ts'
import { type AuthorityPlace, authorityFrom, contactIn, crlIn, getAuthority, signingAuthority } from './authorities.ts'
import type { CrlItem, Item, LinkItem, RootItem, SignerItem } from './ceremony-file.ts'
import { type CeremonyAuthority, type CeremonySession, WrongItem } from './ceremony-session.ts'
import { makeKey } from './make-key.ts'
import { signCertificate } from './sign-certificate.ts'
import { signCrl } from './sign-crl.ts'
import { createMemoryRecorder } from './step-recorder.ts'

/** Makes the items of a ceremony in their order. Returns the fault of the first item that cannot be made. */
export function makeItems(session: CeremonySession): Promise<LocalFileFault | undefined> {
  return forEachItem(session, (item) => makeItem(session, item))
}

/** Returns the fault of the first item whose issuer is an existing authority without a key here. Records nothing. */
export function findMissingIssuer(session: CeremonySession): Promise<LocalFileFault | undefined> {
  const unrecorded = { ...session, recorder: createMemoryRecorder(), authorities: new Map() }
  return forEachItem(session, async (item) => {
    if ('issuer' in item && typeof item.issuer !== 'string')
      await signingAuthority(unrecorded, issuerPlace(item), item.id)
  })
}

async function forEachItem(
  { ceremony: { content, file } }: CeremonySession,
  act: (item: Item) => Promise<void>,
): Promise<LocalFileFault | undefined> {
  for (const [index, item] of content.make.entries()) {
    try {
      await act(item)
    } catch (error) {
      if (!(error instanceof WrongItem)) throw error
      const member = [`make.${index}`, error.member].filter(Boolean).join('.')
      return faultAt(file, member, error.message)
    }
  }
  return undefined
}

async function makeItem(session: CeremonySession, item: Item): Promise<void> {
  const { authorities } = session
  if (item.kind === 'iaca' || item.kind === 'ecosystem-ca')
    return void authorities.set(item.id, await makeRoot(session, item))
  if (item.kind === 'iaca-link') return makeLink(session, item)
  if (item.kind !== 'crl') return makeSigner(session, item)
  return signCrl(session, item, await signingAuthority(session, issuerPlace(item), item.id))
}

function issuerPlace({ kind, issuer: named }: LinkItem | SignerItem | CrlItem): AuthorityPlace {
  const kinds: AuthorityKind[] = kind === 'crl' ? ['iaca', 'ecosystem-ca'] : [certifierOf(kind)]
  return { field: 'issuer', kinds, named }
}

async function makeRoot(session: CeremonySession, item: RootItem): Promise<CeremonyAuthority> {
  const { id, kind, subject, validity, serialNumber, crlUrl } = item
  const key = await makeKey(session, id)
  const contactUrl = item.kind === 'iaca' ? item.contactUrl : ''
  const certificate = await signCertificate(session, {
    ...{ id, kind, subject, publicKey: key.publicKey, key, validity, ...serialNumber },
    ...{ subjectUrl: contactUrl, issuerUrl: contactUrl, crlUrl },
  })
  return authorityFrom(kind, certificate, key)
}

/** The link ends with the previous root. It has the name of the next root. */
async function makeLink(session: CeremonySession, item: LinkItem): Promise<void> {
  const { id, kind, next: named, serialNumber } = item
  const next = getAuthority(session, { field: 'next', kinds: ['iaca'], named })
  const issuer = await signingAuthority(session, issuerPlace(item), id)
  if (next.publicKey.equals(issuer.publicKey)) throw new WrongItem('next', 'Must be another IACA than issuer')
  const subject = certificateSubject(next.name)
  if (!subject) throw new WrongItem('next', 'Its subject has no country or no common name')
  const { validFromDate } = next.certificate.certificate
  const { validToDate } = issuer.certificate.certificate
  await signCertificate(session, {
    ...{ id, kind, subject, publicKey: next.publicKey, key: issuer.key, issuer, ...serialNumber },
    ...{ validity: { notBefore: validFromDate, notAfter: validToDate }, ...urlsFrom(issuer) },
  })
}

async function makeSigner(session: CeremonySession, item: SignerItem): Promise<void> {
  const { id, kind, validity, serialNumber } = item
  const issuer = await signingAuthority(session, issuerPlace(item), id)
  const { subject, publicKey, subjectUrl } = requestOf(session, item)
  const urls = urlsFrom(issuer)
  await signCertificate(session, {
    ...{ id, kind, subject, publicKey, key: issuer.key, issuer, validity, ...serialNumber },
    ...{ ...urls, subjectUrl: subjectUrl ?? urls.issuerUrl },
  })
}

function requestOf({ ceremony }: CeremonySession, { request }: SignerItem): ReadCsr {
  try {
    return readCsr(ceremony.inputs.get(request.file)?.toString('utf8') ?? '')
  } catch (error) {
    if (error instanceof FormatError) throw new WrongItem('request', `${request.file}: ${error.message}`)
    throw error
  }
}

/** The addresses that certificates have from their authority. */
function urlsFrom({ certificate }: CeremonyAuthority): { subjectUrl: string; issuerUrl: string; crlUrl: string } {
  const [contactUrl = '', crlUrl] = [contactIn(certificate), crlIn(certificate)]
  if (crlUrl === undefined) throw new WrongItem('issuer', 'Its certificate has no cRLDistributionPoints')
  return { subjectUrl: contactUrl, issuerUrl: contactUrl, crlUrl }
}
