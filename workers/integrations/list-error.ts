import type { FailReasonType } from '../../shared/domain/ecosystems/integrations.ts'

/** The reason for which an external list is refused, for the operator. */
export class ListError extends Error {
  override readonly name = 'ListError'
  readonly type: FailReasonType

  constructor(type: FailReasonType, message: string) {
    super(message)
    this.type = type
  }
}

export function invalidSignature(): ListError {
  return new ListError(
    'SignatureInvalid',
    'The signature does not verify with the key of the signer. Ask the publisher.',
  )
}
