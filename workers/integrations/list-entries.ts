import { hash, type X509Certificate } from 'node:crypto'
import type { SkippedEntry } from '../../shared/domain/ecosystems/integrations.ts'
import type { CborValue } from '../../shared/formats/cbor.ts'
import { certificateFromDer } from '../../shared/formats/certificate.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { subjectKeyIdentifierOf } from '../../shared/formats/trusted-lists/entry.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import type { LoteService } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import type { LoteCertificate } from '../../shared/formats/trusted-lists/lote/read-lote.ts'
import { type ListedCertificate, readEntry } from '../../shared/formats/trusted-lists/read-entry.ts'
import { ListError } from './list-error.ts'

/** One certificate of a list. */
export interface ListEntry {
  fingerprint: string
  ski: string | null
  name: string | null
  certificate: Uint8Array
  docTypes: string[]
  /** The services of a list of trusted entities. Null for a VICAL or RICAL. */
  services: LoteService[] | null
  notBefore: Date
  notAfter: Date
}

const maxEntries = 20_000
const maxCertificateBytes = 10_000
const maxDocTypes = 100
const maxDocTypeLength = 255
const maxNameLength = 500
const maxSkippedShown = 10

/** The entries of a list of any format, and how one of them is read. */
interface EntryOf<Item> {
  items: readonly Item[]
  read(item: Item): ListEntry | { reason: string }
}

/**
 * Reads the entries of a list. An invalid entry is skipped and counted with its reason. Entries with the same certificate become one entry
 * with the types and services of all. Throws a `ListError` if the list has more than 20,000 entries.
 */
export function collectEntries<Item>({ items, read }: EntryOf<Item>) {
  if (items.length > maxEntries) {
    const message = `The list has ${items.length} entries. The limit is ${maxEntries}. Ask the publisher.`
    throw new ListError('TooLarge', message)
  }
  const entries = new Map<string, ListEntry>()
  const skipped: { count: number; first: SkippedEntry[] } = { count: 0, first: [] }
  for (const [index, item] of items.entries()) {
    const entry = read(item)
    if ('reason' in entry) {
      skipped.count++
      if (skipped.first.length < maxSkippedShown) skipped.first.push({ index, reason: entry.reason })
      continue
    }
    const earlier = entries.get(entry.fingerprint)
    entries.set(entry.fingerprint, earlier ? joined(earlier, entry) : entry)
  }
  return { entries: [...entries.values()], skipped }
}

function joined(earlier: ListEntry, { docTypes, services }: ListEntry): ListEntry {
  return {
    ...earlier,
    docTypes: [...new Set([...earlier.docTypes, ...docTypes])].slice(0, maxDocTypes),
    services: services && [...new Set([...(earlier.services ?? []), ...services])],
  }
}

/** Reads the entries of a VICAL or RICAL. */
export function readListEntries(items: readonly CborValue[], kind: TrustedListKind) {
  return collectEntries({ items, read: (item) => entryOf(item, kind) })
}

function entryOf(item: CborValue, kind: TrustedListKind): ListEntry | { reason: string } {
  if (certificateBytes(item) > maxCertificateBytes) return tooLargeCertificate
  const listed = readEntry(item)
  if ('reason' in listed) return listed
  const { certificate, der, fingerprint, ski, issuingAuthority } = listed
  const name = kind === 'rical' ? (listed.name ?? issuingAuthority) : issuingAuthority
  // A RICAL lists readers without types.
  const docTypes = kind === 'rical' ? [] : docTypesOf(listed)
  if ('reason' in docTypes) return docTypes
  return storableEntry(certificate, {
    ...{ fingerprint, certificate: der, docTypes, services: null },
    ski: ski ? ski.toString('hex').slice(0, 128) : null,
    name: name === undefined ? null : shownName(name),
  })
}

/** Reads the entry of one certificate of a list of trusted entities. `types` are those of its issuers. */
export function readLoteEntry(
  { name, service, val, isWithdrawn }: LoteCertificate,
  types: readonly string[],
): ListEntry | { reason: string } {
  if (isWithdrawn) return { reason: 'the status of the service is not notified' }
  if (val === undefined) return { reason: 'the service has no certificate' }
  const der = Buffer.from(val, 'base64')
  if (der.length > maxCertificateBytes) return tooLargeCertificate
  try {
    const certificate = certificateFromDer(der)
    return storableEntry(certificate, {
      ...{ fingerprint: hash('sha256', der), certificate: der, services: [service] },
      docTypes: service === 'issuance' ? [...types] : [],
      ski: subjectKeyIdentifierOf(certificate).toString('hex').slice(0, 128),
      name: shownName(name),
    })
  } catch (error) {
    if (error instanceof FormatError) return unreadable
    throw error
  }
}

const tooLargeCertificate = { reason: 'the certificate is too large' }
const unreadable = { reason: 'the certificate cannot be read' }

/** Adds the validity of the certificate, which counts. Some lists state another one. */
function storableEntry(
  certificate: X509Certificate | undefined,
  entry: Omit<ListEntry, 'notBefore' | 'notAfter'>,
): ListEntry | { reason: string } {
  const { validFromDate: notBefore, validToDate: notAfter } = certificate ?? {}
  if (!isStorable(notBefore) || !isStorable(notAfter)) return unreadable
  return { ...entry, notBefore, notAfter }
}

function shownName(name: string): string {
  return name.replaceAll(controls, ' ').slice(0, maxNameLength).toWellFormed()
}

/** Returns whether databases can store a date. Some certificates start in the year 0. */
function isStorable(date: Date | undefined): date is Date {
  return date !== undefined && date.getUTCFullYear() >= 1900
}

/** Returns the size of the certificate of an entry that is not parsed yet. */
function certificateBytes(item: CborValue): number {
  const certificate = item instanceof Map ? (item.get('certificate') ?? item.get('Certificate')) : undefined
  return Buffer.isBuffer(certificate) ? certificate.length : 0
}

function docTypesOf({ docTypes }: ListedCertificate): string[] | { reason: string } {
  const distinct = [...new Set(docTypes)]
  if (distinct.length === 0) return { reason: 'the entry has no docType' }
  if (distinct.length > maxDocTypes) return { reason: `the entry has more than ${maxDocTypes} docTypes` }
  if (distinct.some((each) => each.length > maxDocTypeLength || each.search(controls) !== -1))
    return { reason: 'a docType is too long or contains control characters' }
  return distinct
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters
const controls = /[\u0000-\u001f\u007f]/g
