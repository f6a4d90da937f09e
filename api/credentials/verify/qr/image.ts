/** The size of a decoded image, read from the header. */
export interface ImageSize {
  kind: 'png' | 'jpeg'
  pixels: number
  /** The size of all uncompressed rows. */
  rawBytes: number
}

/** Enough for a photo of a phone. Larger images are not decoded, because a small file can declare gigabytes. */
const maxPixels = 12_500_000
const maxRawBytes = 50_000_000

/** Returns the image type by the first bytes, or undefined for other files. */
export function detectImageType(bytes: Buffer): ImageSize['kind'] | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png'
  return bytes.subarray(0, 3).equals(jpegSignature) ? 'jpeg' : undefined
}

/** Returns the size that the header of an image declares, or undefined for an invalid header. */
export function readImageSize(bytes: Buffer, kind: ImageSize['kind']): ImageSize | undefined {
  return kind === 'png' ? pngSize(bytes) : jpegSize(bytes)
}

export function isTooLarge({ pixels, rawBytes }: ImageSize): boolean {
  return pixels > maxPixels || rawBytes > maxRawBytes
}

/** Returns the compressed rows of a PNG (PNG, section 11.2.4). All IDAT chunks together are one stream. */
export function pngRows(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = pngSignature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return Buffer.concat(parts)
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff])

/** The number of samples per pixel, by colour type (PNG, section 11.2.1). */
const pngSamples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function pngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const samples = pngSamples[bytes.readUInt8(25)]
  if (samples === undefined || width === 0 || height === 0) return undefined
  const rowBytes = Math.ceil((width * samples * bytes.readUInt8(24)) / 8) + 1
  return { kind: 'png', pixels: width * height, rawBytes: rowBytes * height }
}

/** Reads the size from the first frame header. Skips the segments before it (ITU T.81, sections B.1 and B.2.2). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; ; ) {
    while (at < bytes.length && bytes[at] !== 0xff) at++
    while (at < bytes.length && bytes[at] === 0xff) at++
    if (at + 9 > bytes.length) return undefined
    const marker = bytes.readUInt8(at)
    if (isFrame(marker)) {
      const pixels = bytes.readUInt16BE(at + 4) * bytes.readUInt16BE(at + 6)
      return pixels === 0 ? undefined : { kind: 'jpeg', pixels, rawBytes: pixels * bytes.readUInt8(at + 8) }
    }
    at += 1 + bytes.readUInt16BE(at + 1)
  }
}

/** SOF0 to SOF15, without the three other markers in this range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
