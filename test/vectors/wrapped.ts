/** Returns the text of a table without its line breaks. */
export function unwrapped(text: string): string {
  return text.replaceAll('\n', '')
}

/** Returns the bytes of hexadecimal text with line breaks. */
export function hexBytes(text: string): Buffer {
  return Buffer.from(unwrapped(text), 'hex')
}

/** Returns the bytes of base64 or base64url text with line breaks. */
export function base64Bytes(text: string): Buffer {
  return Buffer.from(unwrapped(text), 'base64')
}
