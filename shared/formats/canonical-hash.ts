import { createHash } from 'node:crypto'
import type jsonld from 'jsonld'
import { canonize, type Quad } from 'rdf-canonize'
import { FormatError } from './format-error.ts'
import { loadContext } from './load-context.ts'

/**
 * Returns the SHA-256 of a JSON-LD document's canonical N-Quads (RDFC-1.0). Runs in safe mode: a term that no context defines throws
 * `invalid_json_ld`, so that no part is left out of the hash silently. Throws `unknown_context` for an unknown context.
 */
export async function canonicalHash(document: object): Promise<Buffer> {
  return hashOf(await quadsOf(document))
}

/** Returns the same hash and the statements of the document. Throws as `canonicalHash`. */
export async function canonicalStatements(document: object): Promise<{ hash: Buffer; quads: readonly Quad[] }> {
  const quads = await quadsOf(document)
  return { hash: await hashOf(quads), quads }
}

/** The texts of a copy, by the texts of the template that they replace. */
export type Replacements = Readonly<Record<string, string>>

/**
 * Hashes copies of a template that differ in some IRIs and texts. Reading the JSON-LD is most of the work of a hash, and is done once.
 * The replaced texts must not occur elsewhere in the template. Use random UUIDs.
 */
export async function hashCopies(template: object): Promise<(exchange: Replacements) => Promise<Buffer | undefined>> {
  const quads = await quadsOf(template)
  const texts = new Set(quads.flatMap(({ subject, object }) => [subject.value, object.value]))
  return async (exchange) => {
    // A new IRI that the template also has would merge two nodes. Only reading the copy itself gives the right result.
    if (Object.values(exchange).some((text) => texts.has(text))) return undefined
    const own = <Term extends Quad['object']>(term: Term): Term => {
      const value = exchange[term.value]
      return value === undefined ? term : { ...term, value }
    }
    return hashOf(quads.map((quad) => ({ ...quad, subject: own(quad.subject), object: own(quad.object) })))
  }
}

// The options of jsonld-signatures, so that its verifiers get the same N-Quads. The library caches processed contexts.
const rdfOptions = {
  rdfDirection: 'i18n-datatype',
  base: null,
  safe: true,
  produceGeneralizedRdf: false,
  documentLoader: loadContext,
} as unknown as jsonld.Options.ToRdf // the published types are those of an older release

/** Loads the library when it is needed, because it loads a hundred files of its unused document loader. */
let library: Promise<typeof jsonld> | undefined

async function quadsOf(document: object): Promise<Quad[]> {
  library ??= import('jsonld').then((loaded) => loaded.default)
  try {
    // Boundary: without a format, the library returns the dataset, which rdf-canonize accepts.
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

/** Translates an error of the library. It wraps errors of the loader. Its own errors name the rule in `details.event.code`. */
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
