import type { SkippedEntry } from '../../shared/domain/ecosystems/integrations.ts'
import type { CborValue } from '../../shared/formats/cbor.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import { type ListedCertificate, readEntry } from '../../shared/formats/trusted-lists/read-entry.ts'

/** One certificate of a list. */
export interface ListEntry {
  fingerprint: string
  ski: string | null
  name: string | null
  certificate: Uint8Array
  docTypes: string[]
  notBefore: Date
  notAfter: Date
}

const maxEntries = 20_000
const maxCertificateBytes = 10_000
const maxDocTypes = 100
const maxDocTypeLength = 255
const maxNameLength = 500
const maxSkippedShown = 10

/**
 * Reads the entries of a list. An invalid entry is skipped and counted with its reason. Entries with the same certificate become one entry
 * with the types of all. Throws the error of `tooLarge` if the list has more than 20,000 entries.
 */
export function readListEntries(
  items: readonly CborValue[],
  kind: TrustedListKind,
  tooLarge: (message: string) => Error,
) {
  if (items.length > maxEntries)
    throw tooLarge(`The list has ${items.length} entries. The limit is ${maxEntries}. Ask the publisher.`)
  const entries = new Map<string, ListEntry>()
  const skipped: { count: number; first: SkippedEntry[] } = { count: 0, first: [] }
  for (const [index, item] of items.entries()) {
    const entry = entryOf(item, kind)
    if ('reason' in entry) {
      skipped.count++
      if (skipped.first.length < maxSkippedShown) skipped.first.push({ index, reason: entry.reason })
      continue
    }
    const earlier = entries.get(entry.fingerprint)
    const docTypes = earlier ? [...new Set([...earlier.docTypes, ...entry.docTypes])] : entry.docTypes
    entries.set(entry.fingerprint, { ...(earlier ?? entry), docTypes: docTypes.slice(0, maxDocTypes) })
  }
  return { entries: [...entries.values()], skipped }
}

function entryOf(item: CborValue, kind: TrustedListKind): ListEntry | { reason: string } {
  if (certificateBytes(item) > maxCertificateBytes) return { reason: 'the certificate is too large' }
  const listed = readEntry(item)
  if ('reason' in listed) return listed
  const { certificate, der, fingerprint, ski, issuingAuthority } = listed
  const name = kind === 'rical' ? (listed.name ?? issuingAuthority) : issuingAuthority
  // A RICAL lists readers without types.
  const docTypes = kind === 'rical' ? [] : docTypesOf(listed)
  if ('reason' in docTypes) return docTypes
  // The validity of the certificate counts. Some lists state another one.
  const { validFromDate: notBefore, validToDate: notAfter } = certificate ?? {}
  if (!isStorable(notBefore) || !isStorable(notAfter)) return { reason: 'the certificate cannot be read' }
  return {
    ...{ fingerprint, certificate: der, docTypes, notBefore, notAfter },
    ski: ski ? ski.toString('hex').slice(0, 128) : null,
    name: name?.replaceAll(controls, ' ').slice(0, maxNameLength).toWellFormed() ?? null,
  }
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
