import { parentPort } from 'node:worker_threads'
import { type CredentialStatements, credentialStatements } from '../../../../shared/formats/credential-statements.ts'
import { FormatError, type FormatErrorCode } from '../../../../shared/formats/format-error.ts'
import { type JsonLdDocument, signedContent } from '../../../../shared/formats/json-ld.ts'

/** What a document says, or why it cannot be read. */
export type ReadSigned =
  | { data: Uint8Array; statements: CredentialStatements }
  | { refused: { code: FormatErrorCode; message: string } }

/**
 * A thread that canonicalises one document after the other. It takes the square of their values, and of some graphs far
 * more: whoever asks ends the thread that takes too long.
 */
parentPort?.on('message', async (text: string) => parentPort?.postMessage(await readSigned(text)))

async function readSigned(text: string): Promise<ReadSigned> {
  try {
    // Boundary: what has no contexts, or a wrong proof, is refused by name.
    const document = JSON.parse(text) as JsonLdDocument
    const { data, quads } = await signedContent(document)
    return { data, statements: credentialStatements(quads) }
  } catch (error) {
    if (error instanceof FormatError) return { refused: { code: error.code, message: error.message } }
    // The stack is short: the library is recursive, and so are documents.
    if (error instanceof RangeError) return { refused: { code: 'invalid_json_ld', message: 'nested too deeply' } }
    throw error
  }
}
