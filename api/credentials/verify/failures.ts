import { Problem } from '../../../shared/errors.ts'

const messages = {
  MalformedPresentation: 'This is not a presentation of this kind',
  WrongChallenge: 'The proof answers another challenge',
  WrongDomain: 'The proof is for another domain',
  WrongHolder: 'The proof was not made by the holder',
  NotOfHolder: 'It is not about the holder',
  MalformedCredential: 'This is not a credential of this kind',
  UnknownContext: 'A context of it is not known here, and none is fetched',
  InvalidProof: 'The proof is of another kind',
  UntrustedIssuer: 'The issuer is none of the trusted ones',
  IssuerUnresolved: "The issuer's DID could not be resolved",
  HolderUnresolved: "The holder's DID could not be resolved",
  UnknownKey: 'There is no such key, or it is not for that',
  InvalidSignature: 'The signature was not made with that key, or something was changed',
  NotYetValid: 'The credential is not valid yet',
  Expired: 'The credential is expired',
  Revoked: 'The credential is revoked',
  StatusUnknown: 'Whether the credential is revoked could not be found out',
} as const

export type VerificationFailureType = keyof typeof messages

/** Why a credential is not good. All of it is told to whoever asked. */
export interface VerificationFailure {
  type: VerificationFailureType
  message: string
  details: Record<string, string>
}

export function failure(
  type: VerificationFailureType,
  why?: string,
  details: Record<string, string> = {},
): VerificationFailure {
  return { type, message: why === undefined ? messages[type] : `${messages[type]}: ${why}`, details }
}

/**
 * Reading took all the CPU time or memory that one document has. Nothing is known of the credential then, so it is no verdict.
 * The pause is long, since the same document will take the same again.
 */
export function tooExpensive(): Problem {
  const message = 'Reading this takes more CPU time or memory than the service has for it. Nothing was verified'
  return new Problem('service_unavailable', { message, retryAfterSeconds: 60 })
}

/** What of a credential is to be true besides its signature. */
export interface Assertions {
  /** The issuers that count; whoever names none trusts everybody who has a DID. */
  trustedIssuers?: readonly string[] | undefined
  assertValidFrom: boolean
  assertValidUntil: boolean
  checkRevocation: boolean
}

/** That a credential is valid now, as far as it is asked. */
export function findUntimely(
  { validFrom, validUntil }: { validFrom?: Date | undefined; validUntil?: Date | undefined },
  { assertValidFrom, assertValidUntil }: Assertions,
  now: Date,
): VerificationFailure | undefined {
  if (assertValidFrom && validFrom && validFrom > now) {
    return failure('NotYetValid', undefined, { validFrom: validFrom.toISOString() })
  }
  if (assertValidUntil && validUntil && validUntil <= now) {
    return failure('Expired', undefined, { validUntil: validUntil.toISOString() })
  }
  return undefined
}
