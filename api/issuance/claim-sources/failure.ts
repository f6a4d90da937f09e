const messages = {
  missing: 'There is no such claim source any more',
  status: 'The source answered with another status than success',
  no_object: 'The source answered with something else than a JSON object',
  no_token: 'The token endpoint of the source gave no bearer token',
} as const

/** What a claim source did wrong beyond what the outbound guard reports. Says nothing of what was sent or answered. */
export class ClaimSourceFailure extends Error {
  readonly reason: keyof typeof messages

  constructor(reason: keyof typeof messages, detail?: string) {
    super(detail === undefined ? messages[reason] : `${messages[reason]}: ${detail}`)
    this.name = 'ClaimSourceFailure'
    this.reason = reason
  }
}
