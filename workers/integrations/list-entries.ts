import type { SkippedEntry } from '../../shared/domain/ecosystems/integrations.ts'
import type { CborValue } from '../../shared/formats/cbor.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import { type ListedCertificate, readEntry } from '../../shared/formats/trusted-lists/read-entry.ts'

/** What a list gives by one of its certificates. */
export interface ListEntry {
  fingerprint: string
  ski: string | null
  name: string | null
  certificate: Uint8Array
  docTypes: string[]
  notBefore: Date
  notAfter: Date
}

const mostEntries = 20_000
const mostCertificateBytes = 10_000
const mostDocTypes = 100
const longestDocType = 255
const longestName = 500
const skippedShown = 10

/**
 * One bad entry never fails a list: it is skipped, and counted with its reason. A certificate that is there twice is there once, for
 * the types of both. Throws what `tooLarge` makes of a message, for a list of more than 20,000 entries.
 */
export function readListEntries(
  items: readonly CborValue[],
  kind: TrustedListKind,
  tooLarge: (message: string) => Error,
) {
  if (items.length > mostEntries) throw tooLarge(`It has ${items.length} entries; ${mostEntries} are taken at most`)
  const entries = new Map<string, ListEntry>()
  const skipped: { count: number; first: SkippedEntry[] } = { count: 0, first: [] }
  for (const [index, item] of items.entries()) {
    const entry = entryOf(item, kind)
    if ('reason' in entry) {
      skipped.count++
      if (skipped.first.length < skippedShown) skipped.first.push({ index, reason: entry.reason })
      continue
    }
    const known = entries.get(entry.fingerprint)
    const docTypes = known ? [...new Set([...known.docTypes, ...entry.docTypes])] : entry.docTypes
    entries.set(entry.fingerprint, { ...(known ?? entry), docTypes: docTypes.slice(0, mostDocTypes) })
  }
  return { entries: [...entries.values()], skipped }
}

function entryOf(item: CborValue, kind: TrustedListKind): ListEntry | { reason: string } {
  if (certificateBytes(item) > mostCertificateBytes) return { reason: 'its certificate is too large' }
  const listed = readEntry(item)
  if ('reason' in listed) return listed
  const { certificate, der, fingerprint, ski, issuingAuthority } = listed
  const name = kind === 'rical' ? (listed.name ?? issuingAuthority) : issuingAuthority
  // Readers are listed for no types.
  const docTypes = kind === 'rical' ? [] : docTypesOf(listed)
  if ('reason' in docTypes) return docTypes
  // Valid when the certificate says so: some lists say otherwise.
  const { validFromDate: notBefore, validToDate: notAfter } = certificate ?? {}
  if (!isTime(notBefore) || !isTime(notAfter)) return { reason: 'its certificate cannot be read' }
  return {
    ...{ fingerprint, certificate: der, docTypes, notBefore, notAfter },
    ski: ski ? ski.toString('hex').slice(0, 128) : null,
    name: name?.replaceAll(controls, ' ').slice(0, longestName).toWellFormed() ?? null,
  }
}

/** One that databases have: some certificates begin in the year 0. */
function isTime(date: Date | undefined): date is Date {
  return date !== undefined && date.getUTCFullYear() >= 1900
}

/** Before it is hashed and parsed. */
function certificateBytes(item: CborValue): number {
  const certificate = item instanceof Map ? (item.get('certificate') ?? item.get('Certificate')) : undefined
  return Buffer.isBuffer(certificate) ? certificate.length : 0
}

function docTypesOf({ docTypes }: ListedCertificate): string[] | { reason: string } {
  const distinct = [...new Set(docTypes)]
  if (distinct.length === 0) return { reason: 'it has no docType' }
  if (distinct.length > mostDocTypes) return { reason: `it has more than ${mostDocTypes} docTypes` }
  if (distinct.some((each) => each.length > longestDocType || each.search(controls) !== -1))
    return { reason: 'one of its docTypes is too long, or no plain text' }
  return distinct
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controls = /[\u0000-\u001f\u007f]/g
