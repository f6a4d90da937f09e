import { isSignedWith } from '../../../shared/formats/json-ld.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { failure, type VerificationFailure } from '../verify/failures.ts'
import { readSigned } from '../verify/read-signed.ts'
import { findHolderKey, type VerificationContext } from '../verify/signer-keys.ts'
import { verifyWebCredential } from '../verify/verify-web.ts'

type Document = Readonly<Record<string, unknown>>

/** The values of the request that the proof must contain. */
export interface ExpectedProofValues {
  challenge: string
  domain: string
}

/** `credential` is the index of the credential that failed, from 0. It is absent if the presentation itself failed. */
export type PresentationFailure = VerificationFailure & { credential?: number }

const maxCredentials = 20

/**
 * Verifies a presentation (W3C data model 1.1, section 4.10) with an Ed25519Signature2018 proof. The proof must be made with an
 * authentication key of the holder, for this challenge and this domain. Then verifies each credential. The holder must be one of
 * its subjects. Returns the first failure, or undefined if all checks pass.
 */
export async function verifyPresentation(
  context: VerificationContext,
  presentation: Document,
  expected: ExpectedProofValues,
): Promise<PresentationFailure | undefined> {
  const document: Document = { ...presentation, proof: unwrapProof(presentation.proof) }
  const read = await readSigned(context, 'presentation', document)
  if ('failed' in read) return read.failed
  const { proof, data, statements } = read
  if (proof.proofPurpose !== 'authentication' || !proof.verificationMethod.includes('#')) {
    return failure('InvalidProof', 'it must name a key and have the proofPurpose authentication')
  }
  if (proof.challenge !== expected.challenge) return failure('WrongChallenge')
  if (proof.domain !== expected.domain) return failure('WrongDomain')
  const holderKey = await findHolderKey(context, proof.verificationMethod)
  if ('failed' in holderKey) return holderKey.failed
  const { did: holder, publicJwk } = holderKey.key
  if (statements.holder !== undefined && statements.holder !== holder) return failure('WrongHolder')
  if (!isSignedWith(proof, data, publicKeyFromJwk(publicJwk))) return failure('InvalidSignature')

  // The proof covers this member. The first context, credentials/v1, protects the meaning of the member.
  const credentials = [document.verifiableCredential ?? []].flat()
  if (credentials.length > maxCredentials) {
    return failure('MalformedPresentation', `it has more than ${maxCredentials} credentials`)
  }
  for (const [index, credential] of credentials.entries()) {
    const failed = await findFlaw(context, credential, holder)
    if (failed) return { ...failed, credential: index }
  }
  return undefined
}

/** Unwraps a list with one proof. A presentation must have exactly one proof. */
function unwrapProof(proof: unknown): unknown {
  return Array.isArray(proof) && proof.length === 1 ? proof[0] : proof
}

async function findFlaw(
  context: VerificationContext,
  credential: unknown,
  holder: string,
): Promise<VerificationFailure | undefined> {
  if (typeof credential !== 'object' || credential === null) return failure('MalformedCredential')
  const assertions = { assertValidFrom: true, assertValidUntil: true, checkRevocation: true }
  const { statements, failed } = await verifyWebCredential(context, { ...credential }, assertions)
  if (failed) return failed
  return statements?.subjects.includes(holder) ? undefined : failure('NotOfHolder')
}
