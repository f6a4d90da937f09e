import { isSignedWith } from '../../../shared/formats/json-ld.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { failure, type VerificationFailure } from '../verify/failures.ts'
import { readSigned } from '../verify/read-signed.ts'
import { findHolderKey, type Verifying } from '../verify/signer-keys.ts'
import { verifyWebCredential } from '../verify/verify-web.ts'

type Document = Readonly<Record<string, unknown>>

/** What the verifier asked the holder for. */
export interface Expected {
  challenge: string
  domain: string
}

/** The place says which of the credentials it is, from 0; absent where it is the presentation itself. */
export type PresentationFailure = VerificationFailure & { credential?: number }

const mostCredentials = 20

/**
 * Checks a presentation (W3C data model 1.1, section 4.10) with an Ed25519Signature2018 proof: that it was made with a key of the
 * holder for this purpose, in answer to the challenge and for the domain; then each credential in it, which has to be good, and about
 * the holder. Up to the first that fails; undefined where nothing does.
 */
export async function verifyPresentation(
  verifying: Verifying,
  presentation: Document,
  expected: Expected,
): Promise<PresentationFailure | undefined> {
  const document: Document = { ...presentation, proof: onlyOneOf(presentation.proof) }
  const read = await readSigned(verifying, 'presentation', document)
  if ('failed' in read) return read.failed
  const { proof, data, statements } = read
  if (proof.proofPurpose !== 'authentication' || !proof.verificationMethod.includes('#')) {
    return failure('InvalidProof', 'it is not for authentication with a key that it names')
  }
  if (proof.challenge !== expected.challenge) return failure('WrongChallenge')
  if (proof.domain !== expected.domain) return failure('WrongDomain')
  const found = await findHolderKey(verifying, proof.verificationMethod)
  if ('failed' in found) return found.failed
  const { did: holder, publicJwk } = found.key
  if (statements.holder !== undefined && statements.holder !== holder) return failure('WrongHolder')
  if (!isSignedWith(proof, data, publicKeyFromJwk(publicJwk))) return failure('InvalidSignature')

  // The proof is over this member as it is here: credentials/v1, which comes first, protects its meaning.
  const credentials = [document.verifiableCredential ?? []].flat()
  if (credentials.length > mostCredentials) {
    return failure('MalformedPresentation', `it has more than ${mostCredentials} credentials`)
  }
  for (const [place, credential] of credentials.entries()) {
    const failed = await findFlaw(verifying, credential, holder)
    if (failed) return { ...failed, credential: place }
  }
  return undefined
}

/** A presentation may list its proofs, of which there is to be one. */
function onlyOneOf(proof: unknown): unknown {
  return Array.isArray(proof) && proof.length === 1 ? proof[0] : proof
}

async function findFlaw(
  verifying: Verifying,
  credential: unknown,
  holder: string,
): Promise<VerificationFailure | undefined> {
  if (typeof credential !== 'object' || credential === null) return failure('MalformedCredential')
  const assertions = { assertValidFrom: true, assertValidUntil: true, checkRevocation: true }
  const { statements, failed } = await verifyWebCredential(verifying, { ...credential }, assertions)
  if (failed) return failed
  return statements?.subject === holder ? undefined : failure('NotOfHolder')
}
