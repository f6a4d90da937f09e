const MESSAGES = {
  refused_url: 'The URL may not be called',
  refused_address: 'The host has an address that may not be called',
  dns: 'The host name could not be resolved',
  connection: 'The connection failed',
  tls: 'The TLS connection failed',
  timeout: 'The time for the call ran out',
  too_large: 'The answer is too large',
  redirect: 'The redirect may not be followed',
} as const

export type OutboundReason = keyof typeof MESSAGES

/**
 * An outgoing call that failed. The message says neither URL, address nor body, so it may be shown to the operator who
 * named the URL. `code` is the system's own code for it where there is one (`ECONNREFUSED`, `CERT_HAS_EXPIRED`).
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

/** What undici, the TLS or the network layer threw, as an OutboundError. The original is dropped: it can hold the body. */
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

// Node names handshake failures ERR_TLS_... and ERR_SSL_..., and chain failures as OpenSSL's X509_V_ERR_... without prefix.
const TLS_CODE =
  /^ERR_(TLS|SSL)_|^EPROTO$|CERT|_CRL|^UNABLE_TO_|_SIGNATURE$|_CA$|^(PATH_LENGTH|HOSTNAME_MISMATCH|INVALID_PURPOSE)/
