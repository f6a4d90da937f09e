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

/** What documents of each kind state. */
export interface Stated {
  credential: CredentialStatements
  presentation: PresentationStatements
}

export interface ToRead {
  kind: keyof Stated
  text: string
  /** Of the tenant. Put in where they are named here, in the thread: a document can name one thousands of times. */
  own: OwnContexts
}

/** What a document's proof is over and what it states, or why it cannot be read. */
export type ReadSigned<Kind extends keyof Stated = keyof Stated> =
  | { data: Uint8Array; statements: Stated[Kind] }
  | { refused: { code: FormatErrorCode; message: string } }

const statementsOf = { credential: credentialStatements, presentation: presentationStatements }

/**
 * A thread that canonicalises one document after the other. The CPU time grows with the square of a document's values. The library
 * `jsonld`, which is otherwise loaded at its first use, is loaded before the thread is ready.
 */
answerInputs(readSigned)

async function readSigned({ kind, text, own }: ToRead): Promise<ReadSigned> {
  try {
    // Boundary: what has no contexts, or a wrong proof, is refused by name.
    const document = withOwnContextsInside(JSON.parse(text), own) as JsonLdDocument
    const { data, quads } = await signedContent(document)
    return { data, statements: statementsOf[kind](quads) }
  } catch (error) {
    if (error instanceof FormatError) return { refused: { code: error.code, message: error.message } }
    // The stack is short: the library is recursive, and so are documents.
    if (error instanceof RangeError) return { refused: { code: 'invalid_json_ld', message: 'nested too deeply' } }
    throw error
  }
}
