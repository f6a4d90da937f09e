const maxLength = 500

/**
 * Returns a message that can be stored and shown. It can contain a name from the file. A control or format character could change how a
 * terminal or a page shows the rest.
 */
export function shownText(text: string): string {
  return storableText(text).replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}

/** Returns the name of a column as the file has it. PostgreSQL stores no U+0000. */
export function storableText(text: string): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\u0000', '\ufffd')
}
