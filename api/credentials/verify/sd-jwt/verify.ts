import { hasBegun, hasEnded } from '../../../../shared/clock.ts'
import { FormatError } from '../../../../shared/formats/format-error.ts'
import { checkKeyBinding, type ExpectedKeyBinding } from '../../../../shared/formats/sd-jwt/check-key-binding.ts'
import { type DecodedSdJwt, decodeSdJwt } from '../../../../shared/formats/sd-jwt/decode-sd-jwt.ts'
import { SdJwtError } from '../../../../shared/formats/sd-jwt/decoder-checks.ts'
import { isTexts } from '../../../../shared/formats/sd-jwt/read-jwt.ts'
import { verifyX5c } from '../../../../shared/formats/x5c.ts'
import { sdJwtPurposes } from '../../../../shared/formats/x509/profiles.ts'
import type { VerificationContext } from '../signer-keys.ts'
import { failed, type SdJwtFailure } from './checks.ts'
import { type SdJwtIssuer, sdJwtIssuer } from './issuer.ts'
import { findPurposeFailure } from './purpose.ts'
import type { FindRoots, TrustedRoots } from './roots.ts'
import { findStatusFailure } from './status.ts'

/** The checks to do besides the signature of the issuer. */
export interface SdJwtChecks {
  findRoots: FindRoots
  /** Absent: as the root requires it. */
  requireSignerEku?: boolean | undefined
  /** Absent: a key binding is not required, and not checked. */
  keyBinding?: ExpectedKeyBinding | undefined
  assertValidFrom: boolean
  assertValidUntil: boolean
  checkRevocation: boolean
}

export interface SdJwtVerification {
  /** The visible and disclosed claims. Only if the issuer has signed them. Without an `iss` that the certificate does not prove. */
  claims?: DecodedSdJwt['claims']
  /** The subject of the certificate that signed. Only with `claims`. */
  issuer?: SdJwtIssuer
  /** The failed checks. Empty for a verified credential. */
  failures: SdJwtFailure[]
}

/**
 * Verifies an SD-JWT VC, with or without a key binding JWT. A text that cannot be decoded, or that no trusted issuer has signed, fails
 * alone. Otherwise all other checks run, and each failed one is returned. White space around the text does not count.
 */
export async function verifySdJwt(
  context: VerificationContext,
  text: string,
  assertions: SdJwtChecks,
): Promise<SdJwtVerification> {
  const now = context.deps.clock.now()
  const decoded = attempt(() => decodeSdJwt(text.trim()))
  if ('check' in decoded) return { failures: [decoded] }
  const trusted = await assertions.findRoots(decoded)
  const issuer = await findIssuer(context, decoded, trusted, assertions.requireSignerEku)
  if ('check' in issuer) return { failures: [issuer] }
  const { claims } = decoded
  const failures = [
    typeof claims.vct === 'string' ? undefined : failed('CredentialType'),
    ...findTimeFailures(claims, assertions, now),
    assertions.checkRevocation ? await findStatusFailure(context, claims.status, trusted.roots) : undefined,
    findKeyBindingFailure(decoded, assertions, now),
  ]
  const { iss: _unproven, ...others } = claims
  return {
    claims: issuer.iss?.isProven === false ? others : claims,
    issuer,
    failures: failures.filter((each) => each !== undefined),
  }
}

function attempt<Result extends object>(work: () => Result): Result | SdJwtFailure {
  try {
    return work()
  } catch (error) {
    if (error instanceof SdJwtError) return failed(error.check)
    throw error
  }
}

/** Returns the issuer. The key of the leaf of `x5c` must have signed, its chain must lead to a trusted root, and it must be for signing. */
async function findIssuer(
  context: VerificationContext,
  decoded: DecodedSdJwt,
  { roots, requiresPurpose }: TrustedRoots,
  requireSignerEku: boolean | undefined,
): Promise<SdJwtIssuer | SdJwtFailure> {
  const { x5c } = decoded.header
  if (!isTexts(x5c)) return failed('CertificateChain', 'the header has none')
  try {
    const { publicJwk, rootFingerprint } = verifyX5c(x5c, roots, context.deps.clock.now(), sdJwtPurposes)
    if (!decoded.isSignedWith(publicJwk)) return failed('JwtSignature')
    const isRequired = requireSignerEku ?? requiresPurpose(rootFingerprint)
    const failure = isRequired ? await findPurposeFailure(context, x5c) : undefined
    return failure ?? sdJwtIssuer(x5c, decoded.claims.iss)
  } catch (error) {
    if (error instanceof FormatError) return failed('CertificateChain', error.message)
    throw error
  }
}

/** A time that is not a number (RFC 7519, section 2, NumericDate) is no time at which the credential is valid. */
function findTimeFailures(
  { nbf, exp }: DecodedSdJwt['claims'],
  { assertValidFrom, assertValidUntil }: SdJwtChecks,
  now: Date,
): (SdJwtFailure | undefined)[] {
  return [
    assertValidFrom ? findTimeFailure('NotYetValid', 'nbf', nbf, (start) => hasBegun(start, now)) : undefined,
    assertValidUntil ? findTimeFailure('Expired', 'exp', exp, (end) => !hasEnded(end, now)) : undefined,
  ]
}

function findTimeFailure(
  check: 'NotYetValid' | 'Expired',
  name: 'nbf' | 'exp',
  seconds: unknown,
  isValid: (time: Date) => boolean,
): SdJwtFailure | undefined {
  if (seconds === undefined) return undefined
  if (typeof seconds !== 'number') return failed(check, `${name} is not a number`)
  return isValid(new Date(seconds * 1000)) ? undefined : failed(check)
}

function findKeyBindingFailure(
  decoded: DecodedSdJwt,
  { keyBinding }: SdJwtChecks,
  now: Date,
): SdJwtFailure | undefined {
  if (!keyBinding) return undefined
  const checked = attempt(() => {
    checkKeyBinding(decoded, keyBinding, now)
    return {}
  })
  return 'check' in checked ? checked : undefined
}
