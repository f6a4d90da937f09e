/** What an image would be once it is decoded, by its header alone. */
export interface ImageSize {
  kind: 'png' | 'jpeg'
  pixels: number
  /** Of all its rows, before anything is made of them. */
  rawBytes: number
}

/** A telephone's photograph. More is not decoded: a few kilobytes can say that they are gigabytes. */
const mostPixels = 12_500_000
const mostRawBytes = 50_000_000

/** The kind of image that bytes begin like; undefined for anything else. */
export function imageKindOf(bytes: Buffer): ImageSize['kind'] | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'png'
  return bytes.subarray(0, 3).equals(jpegSignature) ? 'jpeg' : undefined
}

/** The size that an image says it has; undefined where its header is not that of an image. */
export function sizeOf(bytes: Buffer, kind: ImageSize['kind']): ImageSize | undefined {
  return kind === 'png' ? pngSize(bytes) : jpegSize(bytes)
}

export function isTooLarge({ pixels, rawBytes }: ImageSize): boolean {
  return pixels > mostPixels || rawBytes > mostRawBytes
}

/** The compressed rows of a PNG (PNG, section 11.2.4), which are one stream in however many chunks. */
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

/** Samples of a pixel, by the colour type (PNG, section 11.2.1). */
const pngSamples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function pngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const samples = pngSamples[bytes.readUInt8(25)]
  if (samples === undefined || width === 0 || height === 0) return undefined
  const rowBytes = Math.ceil((width * samples * bytes.readUInt8(24)) / 8) + 1
  return { kind: 'png', pixels: width * height, rawBytes: rowBytes * height }
}

/** Walks over the segments before the frame header (ITU T.81, sections B.1 and B.2.2), which is the first of its kind. */
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

/** SOF0 to SOF15, between which stand three markers of other things. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
