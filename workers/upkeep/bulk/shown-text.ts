const maxLength = 500

/** Returns a message that can be stored. It can contain a name from the file. PostgreSQL stores no U+0000. */
export function shownText(text: string): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\u0000', '\ufffd')
}
