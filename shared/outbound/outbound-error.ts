const MESSAGES = {
  refused_url: 'The URL is not allowed',
  refused_address: 'The host has an address that is not allowed',
  dns: 'The host name could not be resolved',
  connection: 'The connection failed',
  tls: 'The TLS connection failed',
  timeout: 'The call timed out',
  too_large: 'The response is too large',
  encoding: 'The content coding of the response cannot be decoded',
  redirect: 'The redirect is not allowed',
} as const

export type OutboundReason = keyof typeof MESSAGES

/**
 * An error of an outgoing call. The message contains neither URL, address nor body, so that it can be shown to the operator who
 * configured the URL. `code` is the system error code, if there is one (`ECONNREFUSED`, `CERT_HAS_EXPIRED`).
 */
export class OutboundError extends Error {
  readonly reason: OutboundReason
  readonly code: string | undefined

  constructor(reason: OutboundReason, { code, detail }: { code?: string | undefined; detail?: string } = {}) {
    super(detail === undefined ? MESSAGES[reason] : `${MESSAGES[reason]}: ${detail}`)
    this.name = 'OutboundError'
    this.reason = reason
    this.code = code
  }
}

/** Converts an error of undici, TLS or the network to an OutboundError. Drops the original, which can contain the body. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = codeOf(error)
  return new OutboundError(reasonOf(code), { code })
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

function reasonOf(code = ''): OutboundReason {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large'
  return TLS_CODE.test(code) ? 'tls' : 'connection'
}

// Node's codes of handshake failures begin with ERR_TLS_ and ERR_SSL_. Codes of chain failures are OpenSSL's X509_V_ERR_ names without the prefix.
const TLS_CODE =
  /^ERR_(TLS|SSL)_|^EPROTO$|CERT|_CRL|^UNABLE_TO_|_SIGNATURE$|_CA$|^(PATH_LENGTH|HOSTNAME_MISMATCH|INVALID_PURPOSE)/
