import { hasEnded } from '../../../shared/clock.ts'
import { reservedCwtClaims } from '../../../shared/formats/cwt.ts'
import { readCwtRevocationList } from '../../../shared/formats/cwt-revocation-list.ts'
import {
  type CwtCredential,
  type CwtFormat,
  decodeCwtCredential,
  verifyCwtCredential,
} from '../../../shared/formats/cwt-verify.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { type Assertions, failure, findValidityFailure, type VerificationFailure } from './failures.ts'
import { findIssuerKey, type VerificationContext } from './signer-keys.ts'
import { findRevocationStatus, type ReadList, UnusableList } from './status.ts'
import { isCovidPass, isVerifiableCredential } from './vc-claim.ts'

/** The result: the content of the credential, if it can be read, and the failure, if there is one. */
export interface CwtVerification {
  credential?: CwtCredential
  failed?: VerificationFailure
}

/**
 * Verifies a CWT credential of one of the formats. The order of the checks is: structure, accepted issuer, signature, validity,
 * status. `iss` and `kid` name the key in the issuer's DID document. Stops at the first failure.
 */
export async function verifyCwt(
  context: VerificationContext,
  text: string,
  formats: readonly CwtFormat[],
  assertions: Assertions,
): Promise<CwtVerification> {
  const credential = readCredential(text)
  if (credential instanceof FormatError) return { failed: failure('MalformedCredential', credential.message) }
  const { format, issuer, kid } = credential
  const reserved = findReservedName(credential)
  if (reserved !== undefined)
    return { failed: failure('MalformedCredential', `a custom claim has the reserved name ${reserved}`) }
  if (!formats.includes(format))
    return { credential, failed: failure('MalformedCredential', `its format is ${format}`) }
  if (format !== 'compact' && !isVerifiableCredential(credential.claims.vc)) {
    return { credential, failed: failure('MalformedCredential', 'its vc is not a verifiable credential') }
  }
  if (format === 'nzcp' && !isCovidPass(credential)) {
    return { credential, failed: failure('MalformedCredential', 'it is not a valid COVID Pass') }
  }
  if (assertions.trustedIssuers && !assertions.trustedIssuers.includes(issuer)) {
    return { credential, failed: failure('UntrustedIssuer', undefined, { issuer }) }
  }
  const issuerKey = await findIssuerKey(context, `${issuer}#${kid}`, issuer, 'P-256')
  if ('failed' in issuerKey) return { credential, failed: issuerKey.failed }
  if (!verifyCwtCredential(text, publicKeyFromJwk(issuerKey.key.publicJwk)).verified) {
    return { credential, failed: failure('InvalidSignature') }
  }
  const failed = await findFlaw(context, credential, assertions)
  return { credential, ...(failed && { failed }) }
}

/** Finds a custom claim with the JWT name of a registered claim (`decoded-cwt.ts`). Its value was not checked as that claim. */
function findReservedName({ format, claims }: CwtCredential): string | undefined {
  const own = format === 'compact' ? ['type'] : ['type', 'vc']
  return reservedCwtClaims.find((name) => !own.includes(name) && Object.hasOwn(claims, name))
}

async function findFlaw(context: VerificationContext, credential: CwtCredential, assertions: Assertions) {
  const { format, issuer, status, notBefore: validFrom, expiresAt: validUntil } = credential
  const invalid = findValidityFailure({ validFrom, validUntil }, assertions, context.deps.clock.now())
  if (invalid || !assertions.checkRevocation || !status) return invalid
  const kind = format === 'compact' ? 'compact' : 'compact-semantic'
  return findRevocationStatus(context, { kind, issuer, ...status }, (list) => readSignedList(context, list, issuer))
}

/** Reads an external list (`application/cwt`). It must be of this issuer, not expired and signed with a key of the issuer. */
async function readSignedList(context: VerificationContext, bytes: Buffer, issuer: string): ReturnType<ReadList> {
  const list = readList(bytes)
  if (list.issuer !== issuer) throw new UnusableList('the list belongs to another issuer')
  if (list.expiresAt && hasEnded(list.expiresAt, context.deps.clock.now()))
    throw new UnusableList('the list has expired')
  const issuerKey = await findIssuerKey(context, `${issuer}#${list.kid}`, issuer, 'P-256')
  if ('failed' in issuerKey) throw new UnusableList(issuerKey.failed.message)
  if (!list.isSignedBy(publicKeyFromJwk(issuerKey.key.publicJwk))) {
    throw new UnusableList('the signature of the list is invalid')
  }
  return list.compressedBits
}

function readList(bytes: Buffer) {
  try {
    return readCwtRevocationList(bytes)
  } catch (error) {
    if (error instanceof FormatError) throw new UnusableList('it is not a revocation list of this type')
    throw error
  }
}

function readCredential(text: string): CwtCredential | FormatError {
  try {
    return decodeCwtCredential(text)
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
}
