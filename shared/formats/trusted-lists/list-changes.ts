import { hash } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Name } from '@peculiar/asn1-x509'
import type { CborMap } from '../cbor.ts'
import { decodeCbor } from '../cbor-decode.ts'
import { parseSign1 } from '../cose.ts'
import { FormatError } from '../format-error.ts'
import { nameText } from './name-text.ts'
import { rawCertificate } from './raw-certificate.ts'
import { readTdate } from './tdate.ts'

/** A certificate of a list, as text. */
export interface ShownCertificate {
  /** SHA-256, hex. */
  certificateFingerprint: string
  /** Hex. */
  ski: string
  issuer: string
  subject: string
  docTypes: readonly string[]
  /** ISO 8601. */
  notBefore: string
  notAfter: string
}

/** The differences between two lists of an ecosystem, as indexes of certificates in the lists. */
export interface ListChanges {
  added: ShownCertificate[]
  removed: ShownCertificate[]
  /** Certificates with other document types. */
  changed: (ShownCertificate & { formerDocTypes: readonly string[] })[]
}

/**
 * Compares two lists of this service by certificate. Entries with equal bytes are not parsed, so that lists of 10,000 certificates are
 * compared in a second. Throws for an invalid list.
 */
export function listChanges(before: Uint8Array, after: Uint8Array): ListChanges {
  const [then, now] = [entriesByCertificate(before), entriesByCertificate(after)]
  const changes: ListChanges = { added: [], removed: [], changed: [] }
  for (const [fingerprint, entry] of now) {
    const former = then.get(fingerprint)
    if (!former) changes.added.push(readEntry(entry))
    else if (typesOf(former) !== typesOf(entry))
      changes.changed.push({ ...readEntry(entry), formerDocTypes: readEntry(former).docTypes })
  }
  for (const [fingerprint, entry] of then) if (!now.has(fingerprint)) changes.removed.push(readEntry(entry))
  return changes
}

/** Returns the certificates of a list of this service in order. Throws for an invalid list. */
export function shownCertificates(list: Uint8Array): ShownCertificate[] {
  return [...entriesByCertificate(list).values()].map(readEntry)
}

function entriesByCertificate(list: Uint8Array): Map<string, CborMap> {
  const payload = decodeCbor(parseSign1(list).payload)
  const items = payload instanceof Map ? payload.get('certificateInfos') : undefined
  if (!Array.isArray(items)) throw new FormatError('invalid_trusted_list', 'it has no certificateInfos')
  const entries = new Map<string, CborMap>()
  for (const item of items) {
    const certificate = item instanceof Map ? item.get('certificate') : undefined
    if (!Buffer.isBuffer(certificate)) throw new FormatError('invalid_trusted_list', 'an entry has no certificate')
    entries.set(hash('sha256', certificate), item)
  }
  return entries
}

/** Returns the same text for the same types in any order. */
function typesOf(entry: CborMap): string {
  const types = entry.get('docType')
  return Array.isArray(types) ? types.toSorted().join('\n') : ''
}

/** Reads the values from the entry. Entries of this service have all of them (entry.ts), so that no certificate is parsed. */
function readEntry(entry: CborMap): ShownCertificate {
  const [certificate, ski, docTypes] = [entry.get('certificate'), entry.get('ski'), entry.get('docType') ?? []]
  const [notBefore, notAfter] = [readTdate(entry.get('notBefore')), readTdate(entry.get('notAfter'))]
  if (!Buffer.isBuffer(certificate) || !Buffer.isBuffer(ski) || !Array.isArray(docTypes) || !notBefore || !notAfter)
    throw new FormatError('invalid_trusted_list', 'an entry does not have the form of the entries of this service')
  const { issuer, subject } = rawCertificate(certificate)
  const subjectText = textOf(subject)
  return {
    certificateFingerprint: hash('sha256', certificate),
    ski: ski.toString('hex'),
    issuer: issuer.equals(subject) ? subjectText : textOf(issuer),
    subject: subjectText,
    docTypes: docTypes.filter((each) => typeof each === 'string'),
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
  }
}

/** Returns the text of a name. A name that the library cannot read is shown in hexadecimal (RFC 4514, section 2.4). */
function textOf(name: Buffer): string {
  try {
    return nameText(AsnConvert.parse(name, Name))
  } catch {
    return `#${name.toString('hex')}`
  }
}
