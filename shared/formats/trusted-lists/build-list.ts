import type { KeyObject, X509Certificate } from 'node:crypto'
import { dayMs } from '../../clock.ts'
import { type CborMap, type CborValue, dateTime } from '../cbor.ts'
import { encodeCbor, encodeHead } from '../cbor-encode.ts'
import { coseHeader, coseSigner, signSign1 } from '../cose.ts'
import { assembleEntry } from './entry.ts'
import { readerAuthenticationType, type TrustedListKind, trustedListKinds } from './kinds.ts'

export interface TrustedListContent {
  kind: TrustedListKind
  provider: string
  /** Rises with each list of its kind. */
  number: number
  date: Date
  /** Encoded, as `vicalEntry` or `ricalEntry` make them. */
  entries: readonly Uint8Array[]
}

/** When the next list is due at the latest (ISO/IEC 18013-5, C.1.6.4: 90 days); always said, since readers of the second edition ask. */
export function nextUpdateOf(date: Date): Date {
  return new Date(date.getTime() + 90 * dayMs)
}

/** An entry of a VICAL: with the document types that its authority is trusted for, of which there is at least one. */
export function vicalEntry(stored: Uint8Array, docTypes: readonly string[]): Buffer {
  return assembleEntry(stored, new Map([['docType', docTypes]]))
}

/** An entry of a RICAL. The second edition has neither `isTrustAnchor` nor `aki` any more, which no published list had. */
export function ricalEntry(stored: Uint8Array, name?: string): Buffer {
  return assembleEntry(stored, new Map(name === undefined ? [] : [['name', name]]))
}

/** The payload: a map whose keys stand as in the lists that are published, with entries as they were encoded. */
export function trustedListPayload({ entries, ...content }: TrustedListContent): Buffer {
  const { before, behind } = around[content.kind](content)
  return Buffer.concat([
    encodeHead('map', before.size + 1 + behind.size),
    encodeCbor(before).subarray(1),
    encodeCbor('certificateInfos'),
    encodeHead('array', entries.length),
    ...entries,
    encodeCbor(behind).subarray(1),
  ])
}

type Around = (content: Omit<TrustedListContent, 'entries'>) => Record<'before' | 'behind', CborMap>

/** What stands before and behind the entries; each map has fewer than 24 keys, so that its head is one byte. */
const around: Record<TrustedListKind, Around> = {
  vical: ({ provider, number, date }) => ({
    before: new Map<string, CborValue>([
      ['version', '1.0'],
      ['vicalProvider', provider],
      ['date', dateTime(date)],
      ['vicalIssueID', number],
      ['nextUpdate', dateTime(nextUpdateOf(date))],
    ]),
    behind: new Map(),
  }),
  rical: ({ provider, number, date }) => ({
    before: new Map<string, CborValue>([
      ['version', '1.0'],
      ['provider', provider],
      ['date', dateTime(date)],
      ['nextUpdate', dateTime(nextUpdateOf(date))],
    ]),
    behind: new Map<string, CborValue>([
      ['id', number],
      ['type', readerAuthenticationType],
    ]),
  }),
}

/**
 * An untagged COSE_Sign1 (RFC 9052, section 4.2). `chain` has the signer first, and not the root. Throws `invalid_cose` for a key
 * that COSE signatures here do not use.
 */
export function signTrustedList(
  kind: TrustedListKind,
  payload: Uint8Array,
  signer: { chain: readonly X509Certificate[]; privateKey: KeyObject },
): Buffer {
  const { alg, sign } = coseSigner(signer.privateKey)
  const [leaf, ...others] = signer.chain.map(({ raw }) => raw)
  // RFC 9360, section 2: one certificate stands alone, several in an array.
  const x5chain: CborMap = new Map([[coseHeader.x5chain, others.length === 0 ? leaf : [leaf, ...others]]])
  const algorithm: CborMap = new Map([[coseHeader.alg, alg]])
  const { isChainProtected } = trustedListKinds[kind]
  return signSign1({
    protectedHeader: isChainProtected ? new Map([...algorithm, ...x5chain]) : algorithm,
    unprotectedHeader: isChainProtected ? new Map() : x5chain,
    payload,
    sign,
    tagged: false,
  })
}
