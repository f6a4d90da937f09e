import { Readable } from 'node:stream'
import type { Reader } from '../../../db/client.ts'
import { type EvidenceRow, findChunk } from '../../../db/repos/ecosystems/evidence.ts'
import { Answer } from '../../http/representations/answer.ts'

/** Streams the file unchanged. Reads the next chunk when the caller has received the chunk before it. */
export function answerEvidence(db: Reader, row: EvidenceRow): Answer {
  const { sizeBytes: lengthBytes, sha256 } = row
  const stream = Readable.from(contentOf(db, row), { objectMode: false })
  return new Answer(
    { stream, lengthBytes },
    {
      fileName: pdfFileName(row.filename),
      headers: {
        // Prevents scripts if a browser displays the file instead of saving it.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        // RFC 9530
        ...(sha256 && { 'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` }),
      },
    },
  )
}

async function* contentOf(db: Reader, { tenantId, id, sizeBytes }: EvidenceRow): AsyncIterable<Buffer> {
  let sent = 0
  for (let position = 0; sent < sizeBytes; position++) {
    const chunk = await findChunk(db, tenantId, id, position)
    if (!chunk) throw new Error('evidence was deleted during its download')
    sent += chunk.length
    yield chunk
  }
}

/** Adds the extension `.pdf` if it is missing, so that a PDF program opens the file. */
function pdfFileName(filename: string): string {
  return filename.toLowerCase().endsWith('.pdf') ? filename : `${filename}.pdf`
}
