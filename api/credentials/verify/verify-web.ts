import { Problem } from '../../../shared/errors/errors.ts'
import {
  type CredentialStatements,
  revocationStatusType,
  type StatusStatement,
} from '../../../shared/formats/credential-statements.ts'
import { isSignedWith } from '../../../shared/formats/json-ld.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { bodyText } from '../../../shared/outbound/text-of.ts'
import { parseJson } from '../../http/json.ts'
import { type Assertions, failure, findValidityFailure, type VerificationFailure } from './failures.ts'
import { readSigned } from './read-signed.ts'
import { findIssuerKey, type VerificationContext } from './signer-keys.ts'
import { findRevocationStatus, type ReadList, UnusableList } from './status.ts'

/** The result: the statements of the credential, if it can be read, and the failure, if there is one. */
export interface WebVerification {
  statements?: CredentialStatements
  failed?: VerificationFailure
}

/**
 * Verifies a web semantic credential (W3C data model 1.1 with an Ed25519Signature2018 proof). The order of the checks is: structure,
 * accepted issuer, proof with an assertion key of the issuer, validity, status. Stops at the first failure. Uses the built-in
 * contexts and the tenant's contexts, and fetches none.
 */
export async function verifyWebCredential(
  context: VerificationContext,
  document: Readonly<Record<string, unknown>>,
  assertions: Assertions,
): Promise<WebVerification> {
  const read = await readSigned(context, 'credential', document)
  if ('failed' in read) return read
  const { statements, proof, data } = read
  const { issuer } = statements
  if (assertions.trustedIssuers && !assertions.trustedIssuers.includes(issuer)) {
    return { statements, failed: failure('UntrustedIssuer', undefined, { issuer }) }
  }
  if (proof.proofPurpose !== 'assertionMethod' || !proof.verificationMethod.includes('#')) {
    return {
      statements,
      failed: failure('InvalidProof', 'it must name a key and have the proofPurpose assertionMethod'),
    }
  }
  const issuerKey = await findIssuerKey(context, proof.verificationMethod, issuer, 'Ed25519')
  if ('failed' in issuerKey) return { statements, failed: issuerKey.failed }
  if (!isSignedWith(proof, data, publicKeyFromJwk(issuerKey.key.publicJwk))) {
    return { statements, failed: failure('InvalidSignature') }
  }
  const failed = findValidityFailure(statements, assertions, context.deps.clock.now())
  if (failed) return { statements, failed }
  const flaw = assertions.checkRevocation ? await findStatusFailure(context, statements) : undefined
  return { statements, ...(flaw && { failed: flaw }) }
}

const maxStatuses = 5

/** Checks every status of a credential. A status of an unknown type is a failure, because it can have any meaning. */
async function findStatusFailure(context: VerificationContext, { issuer, statuses }: CredentialStatements) {
  if (statuses.length > maxStatuses) return failure('StatusUnknown', 'the credential has more than five statuses')
  for (const status of statuses) {
    const reference = referenceOf(status)
    if (!reference) return failure('StatusUnknown', 'the status is not a RevocationList2020Status')
    const { url } = reference
    const readList: ReadList = (list) => readSignedList(context, list, { issuer, url })
    const failed = await findRevocationStatus(context, { kind: 'web-semantic', issuer, ...reference }, readList)
    if (failed) return failed
  }
  return undefined
}

function referenceOf({ types, index, listUrl }: StatusStatement): { url: string; index: number } | undefined {
  if (!types.includes(revocationStatusType) || !listUrl || !index || !/^\d{1,10}$/.test(index)) return undefined
  return { url: listUrl, index: Number(index) }
}

/** Reads an external list, which is a credential (w3c-ccg.github.io/vc-status-rl-2020). Its issuer and its address must match. */
async function readSignedList(
  context: VerificationContext,
  list: Buffer,
  { issuer, url }: { issuer: string; url: string },
): ReturnType<ReadList> {
  const asserted = { trustedIssuers: [issuer], assertValidFrom: true, assertValidUntil: true, checkRevocation: false }
  const { statements, failed } = await verifyWebCredential(context, parsed(list), asserted)
  if (failed) throw new UnusableList(failed.message)
  if (statements?.id !== url || statements.encodedList === undefined)
    throw new UnusableList('it is not the list of this address')
  return Buffer.from(statements.encodedList, 'base64url')
}

/** Parses a list like a request body. Refuses JSON that is nested too deeply or ambiguous. */
function parsed(list: Buffer): Record<string, unknown> {
  try {
    const value = parseJson(bodyText(list))
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  throw new UnusableList('it is not a revocation list of this type')
}
