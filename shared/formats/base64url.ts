/** Decodes base64url without padding (RFC 7515, section 2). Returns undefined unless the text is the canonical encoding. */
export function bytesOfBase64url(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
