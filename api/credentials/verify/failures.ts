import { hasBegun, hasEnded } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'

const messages = {
  MalformedPresentation: 'The input is not a valid presentation of this type',
  WrongChallenge: 'The challenge of the proof does not match',
  WrongDomain: 'The domain of the proof does not match',
  WrongHolder: 'The proof was not created by the holder',
  NotOfHolder: 'The holder is not a subject of the credential',
  MalformedCredential: 'The input is not a valid credential of this type',
  UnknownContext: 'A context is not known to the service and is not fetched',
  InvalidProof: 'The proof is not of the required kind',
  UntrustedIssuer: 'The issuer is not trusted',
  IssuerUnresolved: "The issuer's DID cannot be resolved",
  HolderUnresolved: "The holder's DID cannot be resolved",
  UnknownKey: 'The key is unknown or not allowed for this purpose',
  InvalidSignature: 'The signature is invalid',
  NotYetValid: 'The credential is not valid yet',
  Expired: 'The credential has expired',
  Revoked: 'The credential is revoked',
  StatusUnknown: 'The revocation status cannot be determined',
} as const

export type VerificationFailureType = keyof typeof messages

/** The reason why a verification failed. The caller receives all fields. */
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
 * The problem for a document that exceeded the CPU time or memory of one document. It is not a verification result, because the
 * credential was not verified. The retry interval is long, because the same document exceeds the limit again.
 */
export function resourceLimitExceeded(): Problem {
  const message = 'Reading the document exceeds the limit for CPU time or memory. Nothing was verified.'
  return new Problem('service_unavailable', { message, retryAfterSeconds: 60 })
}

/** The checks of a credential beside its signature. */
export interface Assertions {
  /** The accepted issuers. Left out, every issuer with a resolvable DID is accepted. */
  trustedIssuers?: readonly string[] | undefined
  assertValidFrom: boolean
  assertValidUntil: boolean
  checkRevocation: boolean
}

/** Checks the validity period of a credential, as far as the assertions require it, with tolerance for the clock of the issuer. */
export function findValidityFailure(
  { validFrom, validUntil }: { validFrom?: Date | undefined; validUntil?: Date | undefined },
  { assertValidFrom, assertValidUntil }: Assertions,
  now: Date,
): VerificationFailure | undefined {
  if (assertValidFrom && validFrom && !hasBegun(validFrom, now)) {
    return failure('NotYetValid', undefined, { validFrom: validFrom.toISOString() })
  }
  if (assertValidUntil && validUntil && hasEnded(validUntil, now)) {
    return failure('Expired', undefined, { validUntil: validUntil.toISOString() })
  }
  return undefined
}
