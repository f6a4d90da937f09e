/** Whether a text is the id of an object: a UUID (RFC 9562, section 4). */
export function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}
