const messages = {
  invalid_did: 'The DID cannot be resolved',
  unreachable: 'The document of the DID cannot be fetched',
  invalid_document: 'The document of the DID is not acceptable',
  no_such_key: 'The document of the DID does not have the key',
} as const

export type DidErrorReason = keyof typeof messages

/**
 * The reason for which a DID has no document or no key. The message contains neither an address nor text of the document, so that it
 * can be shown. Only `unreachable` can change at the next attempt.
 */
export class DidError extends Error {
  override readonly name = 'DidError'
  readonly reason: DidErrorReason

  constructor(reason: DidErrorReason, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? messages[reason] : `${messages[reason]}: ${detail}`, options)
    this.reason = reason
  }
}
