/** Returns the body of a response as text, without the byte order mark and the white space that some servers add around it. */
export function bodyText(body: Buffer): string {
  // `trim` removes U+FEFF too.
  return body.toString().trim()
}
