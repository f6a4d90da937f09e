import type { X509Certificate } from 'node:crypto'
import { dayMs } from '../../clock.ts'
import type { BytesSigner } from '../bytes-signer.ts'
import { type CborMap, type CborValue, dateTime } from '../cbor.ts'
import { encodeCbor, encodeHead } from '../cbor-encode.ts'
import { coseHeader, coseSigner, signSign1 } from '../cose.ts'
import { assembleEntry } from './entry.ts'
import { readerAuthenticationType, type TrustedListKind, trustedListKinds } from './kinds.ts'

export interface TrustedListContent {
  kind: TrustedListKind
  provider: string
  /** Increases with each list of a kind. */
  number: number
  date: Date
  /** Encoded entries from `vicalEntry` or `ricalEntry`. */
  entries: readonly Uint8Array[]
}

/** The latest date of the next list (ISO/IEC 18013-5, C.1.6.4: 90 days). Always written, because the second edition requires it. */
export function nextUpdateOf(date: Date): Date {
  return new Date(date.getTime() + 90 * dayMs)
}

/** Encodes an entry of a VICAL with the document types for which its authority is trusted. There must be at least one. */
export function vicalEntry(stored: Uint8Array, docTypes: readonly string[]): Buffer {
  return assembleEntry(stored, new Map([['docType', docTypes]]))
}

/** Encodes an entry of a RICAL, without `isTrustAnchor` and `aki`. The second edition removed them, and no published list has them. */
export function ricalEntry(stored: Uint8Array, name?: string): Buffer {
  return assembleEntry(stored, new Map(name === undefined ? [] : [['name', name]]))
}

/** Builds the payload: a map with keys in the order of published lists, and with the encoded entries. */
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

/** Encodes the parts before and after the entries. Each map has fewer than 24 keys, so that its head is one byte. */
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
 * Signs a list as an untagged COSE_Sign1 (RFC 9052, section 4.2). `chain` starts with the signer and does not contain the root. Throws
 * `invalid_cose` for an unsupported key.
 */
export async function signTrustedList(
  kind: TrustedListKind,
  payload: Uint8Array,
  signer: { chain: readonly X509Certificate[]; key: BytesSigner },
): Promise<Buffer> {
  const { alg, sign } = coseSigner(signer.key)
  const [leaf, ...others] = signer.chain.map(({ raw }) => raw)
  // RFC 9360, section 2: one certificate stands alone, several are in an array.
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
