/**
 * Decodes the part of CBOR (RFC 8949) that this service's lists and credentials use. Rejects indefinite lengths and floats. Returns the
 * content of a tag.
 */
export function readCbor(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const take = (count: number) => {
    at += count
    return at - count
  }
  const argument = (info: number): number => {
    if (info < 24) return info
    if (info === 24) return view.getUint8(take(1))
    if (info === 25) return view.getUint16(take(2))
    if (info === 26) return view.getUint32(take(4))
    if (info === 27) return Number(view.getBigUint64(take(8)))
    throw new Error('not of a definite length')
  }
  const item = (): unknown => {
    const first = view.getUint8(take(1))
    const major = first >> 5
    const value = argument(first & 31)
    if (major === 0) return value
    if (major === 1) return -1 - value
    if (major === 2) return bytes.subarray(take(value), at)
    if (major === 3) return new TextDecoder().decode(bytes.subarray(take(value), at))
    if (major === 4) return Array.from({ length: value }, item)
    if (major === 5) return new Map(Array.from({ length: value }, () => [item(), item()]))
    if (major === 6) return item()
    if (first > lastSimple) throw new Error('a float')
    return simple.get(value)
  }
  return item()
}

/** The first byte of the last value that is not a float. */
const lastSimple = 0xf8

const simple = new Map<number, unknown>([
  [20, false],
  [21, true],
  [22, null],
])
