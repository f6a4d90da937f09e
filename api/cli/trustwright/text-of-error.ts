/** Returns the message of an error with its cause. */
export function textOfError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message
}

/** A failed connection to several addresses has no message. A failed TLS handshake has one of several lines. Both have a code. */
function reasonOf(cause: Error & { code?: string }): string {
  const { message, code, name } = cause
  return message === '' || message.includes('\n') ? (code ?? name) : message
}
