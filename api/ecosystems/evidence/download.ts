import { Readable } from 'node:stream'
import type { Reader } from '../../../db/client.ts'
import { type EvidenceRow, findChunk } from '../../../db/repos/ecosystems/evidence.ts'
import { Answer } from '../../http/representations/answer.ts'

/** The file as it came. The next chunk is read when the caller has taken the one before. */
export function answerEvidence(db: Reader, row: EvidenceRow): Answer {
  const { sizeBytes: lengthBytes, sha256 } = row
  const stream = Readable.from(contentOf(db, row), { objectMode: false })
  return new Answer(
    { stream, lengthBytes },
    {
      fileName: savedAs(row.filename),
      headers: {
        // It is not shown as a page of this host, and if it were, as one without scripts.
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
    if (!chunk) throw new Error('evidence was removed while it was sent')
    sent += chunk.length
    yield chunk
  }
}

/** What opens it is the program for PDF files, whatever it was called. */
function savedAs(filename: string): string {
  return filename.toLowerCase().endsWith('.pdf') ? filename : `${filename}.pdf`
}
