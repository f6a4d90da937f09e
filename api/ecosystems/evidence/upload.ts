import { createHash } from 'node:crypto'
import type { Writer } from '../../../db/client.ts'
import { holdShared, holdTenant } from '../../../db/hold.ts'
import {
  abandonEvidence,
  appendChunk,
  completeEvidence,
  type EvidenceRow,
  insertEvidence,
  measureEvidence,
} from '../../../db/repos/ecosystems/evidence.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { participants } from '../../../db/tables/ecosystems/participants.ts'
import { plusMs } from '../../../shared/clock.ts'
import { ceilings } from '../../../shared/domain/tenancy/limits.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { piecesOf } from './pieces.ts'

export interface SentEvidence {
  tenantId: string
  ecosystemId: string
  participantId: string
  filename: string
  by: Pick<EvidenceRow, 'uploadedBy' | 'uploader'>
  /** Fails where the file does not come whole. */
  stream: AsyncIterable<Buffer>
  /** What else is said of it, once it was read; throws where that is wrong. */
  describe(): Pick<EvidenceRow, 'fileDescription'>
}

/** What lies in one row: small beside a request's memory, and written in a moment. */
export const chunkBytes = 262_144
/** An upload of which nothing came for so long has ended, or the process has that took it. */
const givenUpAfterMs = 10 * 60_000

/**
 * Keeps a file chunk by chunk while it comes, each in a transaction of its own: nobody sees it, and nothing is waited for while the
 * database is held. The last transaction makes it whole, which holds its participant. What does not become whole is swept away.
 * Throws `unsupported_media_type` for what is no PDF, before anything is stored, `conflict` where the tenant has no room, and
 * `not_found` where the participant is deleted meanwhile.
 */
export async function uploadEvidence(deps: Deps, change: Change, sent: SentEvidence): Promise<EvidenceRow> {
  const { db, clock } = deps
  const { tenantId, stream } = sent
  const id = newOrderedId(clock.now())
  const hash = createHash('sha256')
  const expiresAt = () => plusMs(clock.now(), givenUpAfterMs)
  let position = 0
  try {
    for await (const content of piecesOf(stream, chunkBytes)) {
      if (position === 0) {
        requirePdf(content)
        await db.tx((tx) => begin(tx, id, sent, { createdAt: clock.now(), expiresAt: expiresAt() }))
      }
      hash.update(content)
      const chunk = { position: position++, content, expiresAt: expiresAt() }
      if (!(await db.tx((tx) => appendChunk(tx, tenantId, id, chunk)))) throw gone(sent)
    }
    if (position === 0) throw noPdf('The file is empty')
    const whole = { ...sent.describe(), sha256: hash.digest('hex'), createdAt: clock.now() }
    return await change((tx, tell) => {
      tell(tenantId, { id, ecosystemId: sent.ecosystemId, participantId: sent.participantId, sha256: whole.sha256 })
      return complete(tx, id, sent, whole)
    })
  } catch (error) {
    // Where this fails too, it is swept when its time is over.
    if (position > 0) await db.tx((tx) => abandonEvidence(tx, tenantId, id, clock.now())).catch(() => {})
    throw error
  }
}

async function begin(
  tx: Writer,
  id: string,
  { tenantId, ecosystemId, participantId, filename, by }: SentEvidence,
  times: Pick<EvidenceRow, 'createdAt' | 'expiresAt'>,
): Promise<void> {
  const limits = await heldLimits(tx, tenantId)
  const { files, bytes } = await measureEvidence(tx, tenantId, ['uploading', 'whole'])
  if (files >= limits.participantEvidence) {
    throw new Problem('conflict', { message: `There may be ${limits.participantEvidence} files of evidence at most` })
  }
  if (bytes >= limits.evidenceBytes) throw noRoom(limits.evidenceBytes)
  await insertEvidence(tx, { id, tenantId, ecosystemId, participantId, filename, ...by, ...times })
}

async function complete(
  tx: Writer,
  id: string,
  sent: SentEvidence,
  content: Parameters<typeof completeEvidence>[3],
): Promise<EvidenceRow> {
  const { tenantId, ecosystemId, participantId } = sent
  const { evidenceBytes } = await heldLimits(tx, tenantId)
  if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
  if (!(await holdShared(tx, participants, tenantId, participantId))) throw gone(sent)
  const row = await completeEvidence(tx, tenantId, id, content)
  if (!row) throw gone(sent)
  if ((await measureEvidence(tx, tenantId, ['whole'])).bytes > evidenceBytes) throw noRoom(evidenceBytes)
  return row
}

/** The tenant is held: of two files that come at once, the second is counted after the first. */
async function heldLimits(tx: Writer, tenantId: string): Promise<typeof ceilings> {
  const tenant = await holdTenant(tx, tenantId)
  return { ...ceilings, ...tenant?.settings.limits }
}

/** ISO 32000-2, 7.5.2. Some readers look for it further behind; a file that begins as another may be read as that one. */
const pdfBegins = /^%PDF-\d\.\d/

function requirePdf(content: Buffer): void {
  if (!pdfBegins.test(content.toString('latin1', 0, 8))) throw noPdf('Must be a PDF file: it does not begin as one')
}

function noPdf(msg: string): Problem {
  return new Problem('unsupported_media_type', {
    message: 'The file is no PDF',
    details: [{ msg, param: 'file', location: 'body' }],
  })
}

function noRoom(most: number): Problem {
  return new Problem('conflict', { message: `There may be ${most} bytes of evidence at most` })
}

function gone({ participantId }: SentEvidence): Problem {
  return notFound('participantId', participantId)
}
