import 'jsonld'
import {
  type CredentialStatements,
  credentialStatements,
  type PresentationStatements,
  presentationStatements,
} from '../../../../shared/formats/credential-statements.ts'
import { FormatError, type FormatErrorCode } from '../../../../shared/formats/format-error.ts'
import { type JsonLdDocument, signedContent } from '../../../../shared/formats/json-ld.ts'
import { type OwnContexts, withOwnContextsInside } from '../../../../shared/formats/own-contexts.ts'
import { answerInputs } from '../../../../shared/threads/answer-inputs.ts'

/** The statements of each kind of document. */
export interface DocumentStatements {
  credential: CredentialStatements
  presentation: PresentationStatements
}

export interface DocumentToRead {
  kind: keyof DocumentStatements
  text: string
  /** The tenant's contexts. The thread inserts them, because a document can reference a context thousands of times. */
  own: OwnContexts
}

/** The signed data and the statements of a document, or why it cannot be read. */
export type ReadResult<Kind extends keyof DocumentStatements = keyof DocumentStatements> =
  | { data: Uint8Array; statements: DocumentStatements[Kind] }
  | { refused: { code: FormatErrorCode; message: string } }

const statementsOf = { credential: credentialStatements, presentation: presentationStatements }

/**
 * A thread that canonicalises one document after the other. The CPU time grows with the square of the number of values. The thread
 * imports the library `jsonld` at its start, so that the first document does not wait for it.
 */
answerInputs(readSigned)

async function readSigned({ kind, text, own }: DocumentToRead): Promise<ReadResult> {
  try {
    // Boundary: `signedContent` throws FormatError for a document without contexts or with a malformed proof.
    const document = withOwnContextsInside(JSON.parse(text), own) as JsonLdDocument
    const { data, quads } = await signedContent(document)
    return { data, statements: statementsOf[kind](quads) }
  } catch (error) {
    if (error instanceof FormatError) return { refused: { code: error.code, message: error.message } }
    // The stack of the thread is small. The library recurses into nested documents.
    if (error instanceof RangeError) return { refused: { code: 'invalid_json_ld', message: 'nested too deeply' } }
    throw error
  }
}
