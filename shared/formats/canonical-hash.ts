import { createHash } from 'node:crypto'
import type jsonld from 'jsonld'
import { canonize, type Quad } from 'rdf-canonize'
import { FormatError } from './format-error.ts'
import { loadContext } from './load-context.ts'

/**
 * SHA-256 of a JSON-LD document's canonical N-Quads (RDFC-1.0). Runs in safe mode, so a term that no context defines throws
 * `invalid_json_ld` and nothing goes unhashed in silence; contexts that are not ours throw `unknown_context`.
 */
export async function canonicalHash(document: object): Promise<Buffer> {
  return hashOf(await quadsOf(document))
}

/** The same, with what the document states. Throws as `canonicalHash` does. */
export async function canonicalStatements(document: object): Promise<{ hash: Buffer; quads: readonly Quad[] }> {
  const quads = await quadsOf(document)
  return { hash: await hashOf(quads), quads }
}

/** For each text of the template that differs between copies, the copy's own. */
export type Substitutes = Readonly<Record<string, string>>

/**
 * The hashes of documents that are one template with some IRIs and texts exchanged. Reading JSON-LD is most of the work of
 * hashing it, and is done once. What is exchanged stands nowhere else in the template: take random UUIDs.
 */
export async function hashCopies(template: object): Promise<(exchange: Substitutes) => Promise<Buffer | undefined>> {
  const quads = await quadsOf(template)
  const texts = new Set(quads.flatMap(({ subject, object }) => [subject.value, object.value]))
  return async (exchange) => {
    // A copy's IRI that the template has too would make two nodes one, which only reading the copy itself can do.
    if (Object.values(exchange).some((text) => texts.has(text))) return undefined
    const own = <Term extends Quad['object']>(term: Term): Term => {
      const value = exchange[term.value]
      return value === undefined ? term : { ...term, value }
    }
    return hashOf(quads.map((quad) => ({ ...quad, subject: own(quad.subject), object: own(quad.object) })))
  }
}

// The options of jsonld-signatures, so that its verifiers see the same N-Quads. Processed contexts are cached by the library.
const rdfOptions = {
  rdfDirection: 'i18n-datatype',
  base: null,
  safe: true,
  produceGeneralizedRdf: false,
  documentLoader: loadContext,
} as unknown as jsonld.Options.ToRdf // the published types are those of an older release

/** Loaded when it is needed: a hundred files of its document loader, which is not used, come along. */
let library: Promise<typeof jsonld> | undefined

async function quadsOf(document: object): Promise<Quad[]> {
  library ??= import('jsonld').then((loaded) => loaded.default)
  try {
    // Boundary: without a format the library answers the dataset, as rdf-canonize takes it.
    return (await (await library).toRDF(document, rdfOptions)) as Quad[]
  } catch (error) {
    throw translated(error)
  }
}

async function hashOf(quads: Quad[]): Promise<Buffer> {
  try {
    const text = await canonize(quads, { algorithm: 'RDFC-1.0', format: 'application/n-quads' })
    return createHash('sha256').update(text).digest()
  } catch (error) {
    throw translated(error)
  }
}

/** The library wraps what the loader throws; its own errors name the rule in `details.event.code`. */
function translated(error: unknown): FormatError {
  for (let cause: unknown = error; cause instanceof Error; cause = causeOf(cause)) {
    if (cause instanceof FormatError) return cause
  }
  return new FormatError('invalid_json_ld', eventCode(error) ?? 'not processable as JSON-LD', { cause: error })
}

function causeOf(error: Error & { details?: { cause?: unknown } }): unknown {
  return error.cause ?? error.details?.cause
}

function eventCode(error: unknown): string | undefined {
  const { details } = error as { details?: { event?: { code?: unknown } } } // a JsonLdError, which has no types
  return typeof details?.event?.code === 'string' ? details.event.code : undefined
}
