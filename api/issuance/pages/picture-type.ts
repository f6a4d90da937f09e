/** A picture that a page shows. */
export interface Picture {
  /** The media type. */
  type: string
  bytes: Buffer
}

/** Detects the media type of a picture by its first bytes. */
export function pictureTypeOf(bytes: Buffer): string | undefined {
  const beginning = bytes.subarray(0, 12).toString('latin1')
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (beginning.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^RIFF.{4}WEBP/s.test(beginning)) return 'image/webp'
  if (/^GIF8[79]a/.test(beginning)) return 'image/gif'
  return undefined
}
