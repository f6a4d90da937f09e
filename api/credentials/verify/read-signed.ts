import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type JsonLdDocument, type JsonLdProof, proofOf } from '../../../shared/formats/json-ld.ts'
import { requireOwnWords } from '../../../shared/formats/json-ld-text.ts'
import { contextUrlsIn } from '../../../shared/formats/own-contexts.ts'
import { failure, tooExpensive, type VerificationFailure } from './failures.ts'
import type { ReadSigned, Stated } from './json-ld/thread.ts'
import type { Verifying } from './signer-keys.ts'

type Signed<Kind extends keyof Stated> = { proof: JsonLdProof; data: Uint8Array; statements: Stated[Kind] }

/** That are looked for among the tenant's own. */
const mostContexts = 1_000

/** What each is called, and what in it is looked at by itself. */
const words = {
  credential: { type: 'VerifiableCredential' },
  presentation: { type: 'VerifiablePresentation', besides: 'verifiableCredential' },
} as const

const malformed = { credential: 'MalformedCredential', presentation: 'MalformedPresentation' } as const

/** For a credential twice what one that is issued here may have. */
const mostValues = { credential: 5_000, presentation: 20_000 } as const

/**
 * The proof of a JSON-LD document, what it is over, and what the document states with the tenant's own contexts; nothing of it is
 * verified. Read on a thread, since a stranger's graph can be made to take long.
 */
export async function readSigned<Kind extends keyof Stated>(
  { deps, tenantId, deadlineAt }: Verifying,
  kind: Kind,
  document: Readonly<Record<string, unknown>>,
): Promise<Signed<Kind> | { failed: VerificationFailure }> {
  try {
    // Boundary: a document without contexts is refused as one with wrong ones.
    const proof = proofOf(document as JsonLdDocument)
    if (!hasAtMost(mostValues[kind], document)) return { failed: failure(malformed[kind], 'it has too many values') }
    requireOwnWords(document, words[kind])
    const { own } = await findNamedContexts(deps.db.read, tenantId, contextUrlsIn(document).slice(0, mostContexts))
    const asked = { kind, text: JSON.stringify(document), own }
    const read = await deps.verifiers.jsonLd.run(asked, { tenantId, deadlineAt })
    if (!read) throw tooExpensive()
    // Boundary: what is stated is of the kind that was asked for.
    if (!('refused' in read)) return { proof, ...(read as Exclude<ReadSigned<Kind>, { refused: unknown }>) }
    const { code, message } = read.refused
    return { failed: failure(code === 'unknown_context' ? 'UnknownContext' : malformed[kind], message) }
  } catch (error) {
    if (error instanceof FormatError) return { failed: failure(malformed[kind], error.message) }
    throw error
  }
}

/** Whether there are no more values than that in a document, objects and lists among them. */
function hasAtMost(most: number, document: object): boolean {
  const open: object[] = [document]
  let values = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inside = Object.values(next)
    values += inside.length
    if (values > most) return false
    open.push(...inside.filter((value) => typeof value === 'object' && value !== null))
  }
  return true
}
