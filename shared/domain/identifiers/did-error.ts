const messages = {
  invalid_did: 'This is not a DID that can be resolved here',
  unreachable: 'The document of the DID cannot be had',
  invalid_document: 'The document of the DID is not acceptable',
  no_such_key: 'The document of the DID has no such key',
} as const

export type DidErrorReason = keyof typeof messages

/**
 * Why a DID gave no document or no key. The message names no address and nothing of the document, so that it may be shown.
 * Only `unreachable` can be better at the next attempt.
 */
export class DidError extends Error {
  override readonly name = 'DidError'
  readonly reason: DidErrorReason

  constructor(reason: DidErrorReason, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? messages[reason] : `${messages[reason]}: ${detail}`, options)
    this.reason = reason
  }
}
