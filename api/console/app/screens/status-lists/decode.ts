import type { Schemas } from '../../kit/api.ts'
import { readCbor } from './cbor.ts'

type Profile = Schemas['StatusList']['profile']

/** A list as it was published, entry by entry. */
export interface DecodedList {
  /** What it says of a place, 0 for valid; undefined where it has none of this number. */
  statusAt(index: number): number | undefined
  /** How many places say something else than valid. */
  set: number
  /** As it was sent. */
  bytes: number
}

/** In which form a list is asked for: of the two of a token status list JSON is the one that a browser reads. */
export function mediaTypeOf(profile: Profile): string {
  if (profile === 'mobile') return 'application/statuslist+jwt'
  return profile === 'web-semantic' ? 'application/json' : 'application/cwt'
}

/** Throws an Error where it is nothing that can be read here; signatures are for verifiers to check. */
export async function decodeList(profile: Profile, content: ArrayBuffer): Promise<DecodedList> {
  const { packed, how, bits, isLowFirst } = unwrap(profile, new Uint8Array(content))
  const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream(how))
  const all = new Uint8Array(await new Response(stream).arrayBuffer())
  const mask = (1 << bits) - 1
  const perByte = 8 / bits
  const statusAt = (index: number) => {
    const byte = all[Math.floor(index / perByte)]
    const place = (index % perByte) * bits
    return byte === undefined ? undefined : (byte >> (isLowFirst ? place : 8 - bits - place)) & mask
  }
  let set = 0
  for (let index = 0; index < all.length * perByte; index++) if (statusAt(index) !== 0) set++
  return { statusAt, set, bytes: content.byteLength }
}

interface Packed {
  packed: Uint8Array
  how: CompressionFormat
  bits: number
  /** Whether the first entry stands in the lowest bits of its byte (Token Status List), or in the highest. */
  isLowFirst: boolean
}

function unwrap(profile: Profile, content: Uint8Array): Packed {
  const text = () => new TextDecoder().decode(content)
  if (profile === 'mobile') {
    const [, payload = ''] = text().split('.')
    const { bits, lst } = JSON.parse(new TextDecoder().decode(fromBase64Url(payload))).status_list
    return { packed: fromBase64Url(lst), how: 'deflate', bits, isLowFirst: true }
  }
  const how = { how: 'gzip', bits: 1, isLowFirst: false } as const
  if (profile === 'web-semantic')
    return { packed: fromBase64Url(JSON.parse(text()).credentialSubject.encodedList), ...how }
  // COSE_Sign1 (RFC 9052, section 4.2): the third is the payload.
  const sign1 = readCbor(content)
  const claims = Array.isArray(sign1) && readCbor(sign1[2])
  const packed = claims instanceof Map && claims.get(revocationList)
  if (!(packed instanceof Uint8Array)) throw new Error('not a revocation list')
  return { packed, ...how }
}

/** The claim of a CWT that has the list. */
const revocationList = -65538

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
}
