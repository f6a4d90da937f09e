import { Problem } from '../../../shared/errors.ts'
import {
  type CredentialStatements,
  revocationStatusType,
  type StatusStatement,
} from '../../../shared/formats/credential-statements.ts'
import { isSignedWith } from '../../../shared/formats/json-ld.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { parseJson } from '../../http/json.ts'
import { type Assertions, failure, findUntimely, type VerificationFailure } from './failures.ts'
import { readSigned } from './read-signed.ts'
import { findIssuerKey, type Verifying } from './signer-keys.ts'
import { findRevocationStatus, type ReadList, UnusableList } from './status.ts'

/** What was found of a credential: what it states, where it could be read, and what is wrong with it, if anything. */
export interface WebVerification {
  statements?: CredentialStatements
  failed?: VerificationFailure
}

/**
 * Checks a web semantic credential (W3C data model 1.1 with an Ed25519Signature2018 proof): its form, that its issuer counts,
 * that a key of the issuer for such credentials has made the proof over all of it, its times and its status, in this order, up to the
 * first that fails. Contexts are those that stand here and the tenant's own, never the network's.
 */
export async function verifyWebCredential(
  verifying: Verifying,
  document: Readonly<Record<string, unknown>>,
  assertions: Assertions,
): Promise<WebVerification> {
  const read = await readSigned(verifying, 'credential', document)
  if ('failed' in read) return read
  const { statements, proof, data } = read
  const { issuer } = statements
  if (assertions.trustedIssuers && !assertions.trustedIssuers.includes(issuer)) {
    return { statements, failed: failure('UntrustedIssuer', undefined, { issuer }) }
  }
  if (proof.proofPurpose !== 'assertionMethod' || !proof.verificationMethod.includes('#')) {
    return { statements, failed: failure('InvalidProof', 'it is not for an assertion with a key that it names') }
  }
  const found = await findIssuerKey(verifying, proof.verificationMethod, issuer, 'Ed25519')
  if ('failed' in found) return { statements, failed: found.failed }
  if (!isSignedWith(proof, data, publicKeyFromJwk(found.key.publicJwk))) {
    return { statements, failed: failure('InvalidSignature') }
  }
  const failed = findUntimely(statements, assertions, verifying.deps.clock.now())
  if (failed) return { statements, failed }
  const flaw = assertions.checkRevocation ? await findFlawedStatus(verifying, statements) : undefined
  return { statements, ...(flaw && { failed: flaw }) }
}

const mostStatuses = 5

/** Each of its statuses has to be known and good: one that nobody here understands can mean anything. */
async function findFlawedStatus(verifying: Verifying, { issuer, statuses }: CredentialStatements) {
  if (statuses.length > mostStatuses) return failure('StatusUnknown', 'it has more than five')
  for (const status of statuses) {
    const reference = referenceOf(status)
    if (!reference) return failure('StatusUnknown', 'it is not a RevocationList2020Status')
    const { url } = reference
    const readList: ReadList = (list) => readSignedList(verifying, list, { issuer, url })
    const failed = await findRevocationStatus(verifying, { kind: 'web-semantic', issuer, ...reference }, readList)
    if (failed) return failed
  }
  return undefined
}

function referenceOf({ types, index, listUrl }: StatusStatement): { url: string; index: number } | undefined {
  if (!types.includes(revocationStatusType) || !listUrl || !index || !/^\d{1,10}$/.test(index)) return undefined
  return { url: listUrl, index: Number(index) }
}

/** A list of others: a credential itself (w3c-ccg.github.io/vc-status-rl-2020), of this issuer, about this address. */
async function readSignedList(
  verifying: Verifying,
  list: Buffer,
  { issuer, url }: { issuer: string; url: string },
): ReturnType<ReadList> {
  const asserted = { trustedIssuers: [issuer], assertValidFrom: true, assertValidUntil: true, checkRevocation: false }
  const { statements, failed } = await verifyWebCredential(verifying, parsed(list), asserted)
  if (failed) throw new UnusableList(failed.message)
  if (statements?.id !== url || statements.encodedList === undefined)
    throw new UnusableList('it is no list of this address')
  return Buffer.from(statements.encodedList, 'base64url')
}

/** As a request would be read: JSON that is deep or ambiguous is none. */
function parsed(list: Buffer): Record<string, unknown> {
  try {
    const value = parseJson(list.toString())
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  throw new UnusableList('it is no list of this kind')
}
