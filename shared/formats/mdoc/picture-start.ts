/** Returns the first 48 bytes of a picture in base64, base64url or a data URL, in Latin-1. */
export function startOfPicture(value: unknown): string {
  const text = String(value)
  const base64 = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text
  return Buffer.from(base64.slice(0, 64), 'base64').toString('latin1')
}
