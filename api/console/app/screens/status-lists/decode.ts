import type { Schemas } from '../../kit/api.ts'
import { readCbor } from '../../kit/cbor.ts'

type Profile = Schemas['StatusList']['profile']

/** A published list, decoded. */
export interface DecodedList {
  /** Returns the status at an index, 0 for valid. Returns undefined if the list has no such index. */
  statusAt(index: number): number | undefined
  /** The number of entries that are not valid. */
  set: number
  /** The size of the response in bytes. */
  bytes: number
}

/** Returns the media type for a list. A token status list has two, of which browsers can read JSON. */
export function mediaTypeOf(profile: Profile): string {
  if (profile === 'mobile' || profile === 'sd-jwt') return 'application/statuslist+jwt'
  return profile === 'web-semantic' ? 'application/json' : 'application/cwt'
}

/** Decodes a list. Throws an Error if it cannot be read here. Does not check the signature, which verifiers check. */
export async function decodeList(profile: Profile, content: ArrayBuffer): Promise<DecodedList> {
  const { packed, how, bits, isLowFirst } = unwrap(profile, new Uint8Array(content))
  const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream(how))
  const all = new Uint8Array(await new Response(stream).arrayBuffer())
  const mask = (1 << bits) - 1
  const perByte = 8 / bits
  const statusAt = (index: number) => {
    const byte = all[Math.floor(index / perByte)]
    const shift = (index % perByte) * bits
    return byte === undefined ? undefined : (byte >> (isLowFirst ? shift : 8 - bits - shift)) & mask
  }
  let set = 0
  for (let index = 0; index < all.length * perByte; index++) if (statusAt(index) !== 0) set++
  return { statusAt, set, bytes: content.byteLength }
}

interface Packed {
  packed: Uint8Array
  how: CompressionFormat
  bits: number
  /** Whether the first entry is in the lowest bits of its byte (Token Status List), or in the highest. */
  isLowFirst: boolean
}

function unwrap(profile: Profile, content: Uint8Array): Packed {
  const text = () => new TextDecoder().decode(content)
  if (profile === 'mobile' || profile === 'sd-jwt') {
    const [, payload = ''] = text().split('.')
    const { bits, lst } = JSON.parse(new TextDecoder().decode(fromBase64Url(payload))).status_list
    return { packed: fromBase64Url(lst), how: 'deflate', bits, isLowFirst: true }
  }
  const how = { how: 'gzip', bits: 1, isLowFirst: false } as const
  if (profile === 'web-semantic')
    return { packed: fromBase64Url(JSON.parse(text()).credentialSubject.encodedList), ...how }
  // COSE_Sign1 (RFC 9052, section 4.2): the third element is the payload.
  const sign1 = readCbor(content)
  const claims = Array.isArray(sign1) && readCbor(sign1[2])
  const packed = claims instanceof Map && claims.get(revocationList)
  if (!(packed instanceof Uint8Array)) throw new Error('not a revocation list')
  return { packed, ...how }
}

/** The CWT claim that holds the list. */
const revocationList = -65538

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
}
