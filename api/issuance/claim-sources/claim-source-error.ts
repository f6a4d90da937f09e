const messages = {
  missing: 'The claim source was deleted',
  status: 'The source did not answer with a success status',
  no_object: 'The source did not answer with a JSON object',
  no_token: 'The token endpoint of the source issued no bearer token',
} as const

/** An error of a claim source that the outbound guard does not report. Contains no request or response data. */
export class ClaimSourceError extends Error {
  readonly reason: keyof typeof messages

  constructor(reason: keyof typeof messages, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? messages[reason] : `${messages[reason]}: ${detail}`, options)
    this.name = 'ClaimSourceError'
    this.reason = reason
  }
}
