import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type JsonLdDocument, type JsonLdProof, proofOf } from '../../../shared/formats/json-ld.ts'
import { requireOwnWords } from '../../../shared/formats/json-ld-text.ts'
import { contextUrlsIn } from '../../../shared/formats/own-contexts.ts'
import { failure, resourceLimitExceeded, type VerificationFailure } from './failures.ts'
import type { DocumentStatements, ReadResult } from './json-ld/thread.ts'
import type { VerificationContext } from './signer-keys.ts'
import { verifiers } from './verifiers.ts'

type Signed<Kind extends keyof DocumentStatements> = {
  proof: JsonLdProof
  data: Uint8Array
  statements: DocumentStatements[Kind]
}

/** The number of contexts that are looked up among the tenant's contexts. */
const maxContexts = 1_000

/** The type of each kind, and the member that is verified separately. */
const documentKinds = {
  credential: { type: 'VerifiableCredential' },
  presentation: { type: 'VerifiablePresentation', besides: 'verifiableCredential' },
} as const

const malformed = { credential: 'MalformedCredential', presentation: 'MalformedPresentation' } as const

/** The maximum number of values. The limit for a credential is twice the limit for issued credentials. */
const maxValues = { credential: 5_000, presentation: 20_000 } as const

/**
 * Reads a JSON-LD document with the tenant's contexts: its proof, the signed data and its statements. It verifies nothing. A worker
 * thread does the work, because a malicious graph can take much CPU time.
 */
export async function readSigned<Kind extends keyof DocumentStatements>(
  { deps, tenantId, deadlineAt }: VerificationContext,
  kind: Kind,
  document: Readonly<Record<string, unknown>>,
): Promise<Signed<Kind> | { failed: VerificationFailure }> {
  try {
    // Boundary: a document without contexts is refused later, like one with wrong contexts.
    const proof = proofOf(document as JsonLdDocument)
    if (!hasAtMost(maxValues[kind], document)) return { failed: failure(malformed[kind], 'it has too many values') }
    requireOwnWords(document, documentKinds[kind])
    const { own } = await findNamedContexts(deps.db.read, tenantId, contextUrlsIn(document).slice(0, maxContexts))
    const input = { kind, text: JSON.stringify(document), own }
    const read = await deps.services.of(verifiers).jsonLd.run(input, { tenantId, deadlineAt })
    if (!read) throw resourceLimitExceeded()
    // Boundary: the thread returns the statements of the requested kind.
    if (!('refused' in read)) return { proof, ...(read as Exclude<ReadResult<Kind>, { refused: unknown }>) }
    const { code, message } = read.refused
    return { failed: failure(code === 'unknown_context' ? 'UnknownContext' : malformed[kind], message) }
  } catch (error) {
    if (error instanceof FormatError) return { failed: failure(malformed[kind], error.message) }
    throw error
  }
}

/** Returns whether a document has at most `max` values. Objects and lists count too. */
function hasAtMost(max: number, document: object): boolean {
  const open: object[] = [document]
  let values = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inside = Object.values(next)
    values += inside.length
    if (values > max) return false
    open.push(...inside.filter((value) => typeof value === 'object' && value !== null))
  }
  return true
}
