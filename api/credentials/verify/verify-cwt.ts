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
import { type Assertions, failure, findUntimely, type VerificationFailure } from './failures.ts'
import { findIssuerKey, type Verifying } from './signer-keys.ts'
import { findRevocationStatus, type ReadList, UnusableList } from './status.ts'
import { isCovidPass, isVerifiableCredential } from './vc-claim.ts'

/** What was found of a credential: its content, where it could be read, and what is wrong with it, if anything. */
export interface CwtVerification {
  credential?: CwtCredential
  failed?: VerificationFailure
}

/**
 * Checks a CWT credential of one of the formats: its form, that its issuer counts, the signature with the key that `iss` and
 * `kid` name in the issuer's DID document, its times and its status, in this order, up to the first that fails.
 */
export async function verifyCwt(
  verifying: Verifying,
  text: string,
  formats: readonly CwtFormat[],
  assertions: Assertions,
): Promise<CwtVerification> {
  const credential = readCredential(text)
  if (credential instanceof FormatError) return { failed: failure('MalformedCredential', credential.message) }
  const { format, issuer, kid } = credential
  const disguised = findDisguised(credential)
  if (disguised !== undefined)
    return { failed: failure('MalformedCredential', `a claim of its own is called ${disguised}`) }
  if (!formats.includes(format)) return { credential, failed: failure('MalformedCredential', `it is ${format}`) }
  if (format !== 'compact' && !isVerifiableCredential(credential.claims.vc)) {
    return { credential, failed: failure('MalformedCredential', 'its vc is not a verifiable credential') }
  }
  if (format === 'nzcp' && !isCovidPass(credential)) {
    return { credential, failed: failure('MalformedCredential', 'it is no COVID Pass') }
  }
  if (assertions.trustedIssuers && !assertions.trustedIssuers.includes(issuer)) {
    return { credential, failed: failure('UntrustedIssuer', undefined, { issuer }) }
  }
  const found = await findIssuerKey(verifying, `${issuer}#${kid}`, issuer, 'P-256')
  if ('failed' in found) return { credential, failed: found.failed }
  if (!verifyCwtCredential(text, publicKeyFromJwk(found.key.publicJwk)).verified) {
    return { credential, failed: failure('InvalidSignature') }
  }
  const failed = await findFlaw(verifying, credential, assertions)
  return { credential, ...(failed && { failed }) }
}

/** A claim by the name that is told of a registered one (`decoded-cwt.ts`): nobody has checked it as that. */
function findDisguised({ format, claims }: CwtCredential): string | undefined {
  const own = format === 'compact' ? ['type'] : ['type', 'vc']
  return reservedCwtClaims.find((name) => !own.includes(name) && Object.hasOwn(claims, name))
}

async function findFlaw(verifying: Verifying, credential: CwtCredential, assertions: Assertions) {
  const { format, issuer, status, notBefore: validFrom, expiresAt: validUntil } = credential
  const untimely = findUntimely({ validFrom, validUntil }, assertions, verifying.deps.clock.now())
  if (untimely || !assertions.checkRevocation || !status) return untimely
  const kind = format === 'compact' ? 'compact' : 'compact-semantic'
  return findRevocationStatus(verifying, { kind, issuer, ...status }, (list) => readSignedList(verifying, list, issuer))
}

/** A list of others (`application/cwt`): of this issuer, not expired, and signed by its key. */
async function readSignedList(verifying: Verifying, bytes: Buffer, issuer: string): ReturnType<ReadList> {
  const list = readList(bytes)
  if (list.issuer !== issuer) throw new UnusableList('the list is of another issuer')
  if (list.expiresAt && list.expiresAt <= verifying.deps.clock.now()) throw new UnusableList('the list is expired')
  const found = await findIssuerKey(verifying, `${issuer}#${list.kid}`, issuer, 'P-256')
  if ('failed' in found) throw new UnusableList(found.failed.message)
  if (!list.isSignedBy(publicKeyFromJwk(found.key.publicJwk))) {
    throw new UnusableList("the list's signature is wrong")
  }
  return list.compressedBits
}

function readList(bytes: Buffer) {
  try {
    return readCwtRevocationList(bytes)
  } catch (error) {
    if (error instanceof FormatError) throw new UnusableList('it is no list of this kind')
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
