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
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { participants } from '../../../db/tables/ecosystems/participants.ts'
import { plusMs } from '../../../shared/clock.ts'
import { defaultQuotas } from '../../../shared/domain/tenancy/limits.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { rechunk } from '../../http/multipart/rechunk.ts'

export interface EvidenceUpload {
  tenantId: string
  ecosystemId: string
  participantId: string
  filename: string
  by: Pick<EvidenceRow, 'uploadedBy' | 'uploader'>
  /** The content. The stream fails if the upload is incomplete. */
  stream: AsyncIterable<Buffer>
  /** Returns the other form fields. Call it after the file was read. Throws if a field is invalid. */
  describe(): Pick<EvidenceRow, 'fileDescription'>
  /** Called in the transaction that completes the file, before it counts against the limits of the tenant. */
  commit(tx: Writer, row: EvidenceRow): Promise<void>
}

/** The size of one row. It is small compared with the memory of a request, and fast to write. */
const chunkBytes = 262_144
/** An upload without new data for this time has ended, or its process has stopped. */
const abandonedAfterMs = 10 * 60_000

/**
 * Stores a file chunk by chunk during the upload. Each chunk has its own transaction, so that no transaction waits for the sender.
 * The last transaction locks the participant and completes the file. Until then the file is not visible. Incomplete files are
 * deleted later. Throws `unsupported_media_type` for a file that is not a PDF, before anything is stored. Throws `conflict` at the
 * limit of the tenant, and `not_found` if the participant was deleted during the upload.
 */
export async function uploadEvidence(deps: Deps, change: Change, sent: EvidenceUpload): Promise<EvidenceRow> {
  const { db, clock } = deps
  const { tenantId, stream } = sent
  const id = newOrderedId(clock.now())
  const hash = createHash('sha256')
  const expiresAt = () => plusMs(clock.now(), abandonedAfterMs)
  let position = 0
  try {
    for await (const content of rechunk(stream, chunkBytes)) {
      if (position === 0) {
        requirePdf(content)
        await db.tx((tx) => begin(tx, id, sent, { createdAt: clock.now(), expiresAt: expiresAt() }))
      }
      hash.update(content)
      const chunk = { position: position++, content, expiresAt: expiresAt() }
      if (!(await db.tx((tx) => appendChunk(tx, tenantId, id, chunk)))) throw participantDeleted(sent)
    }
    if (position === 0) throw notPdf('The file is empty')
    const completed = { ...sent.describe(), sha256: hash.digest('hex'), createdAt: clock.now() }
    return await change((tx, record) => {
      record(tenantId, {
        id,
        ecosystemId: sent.ecosystemId,
        participantId: sent.participantId,
        sha256: completed.sha256,
      })
      return complete(tx, id, sent, completed)
    })
  } catch (error) {
    // If this fails too, the file is deleted after its expiry.
    if (position > 0) await db.tx((tx) => abandonEvidence(tx, tenantId, id, clock.now())).catch(() => {})
    throw error
  }
}

async function begin(
  tx: Writer,
  id: string,
  { tenantId, ecosystemId, participantId, filename, by }: EvidenceUpload,
  times: Pick<EvidenceRow, 'createdAt' | 'expiresAt'>,
): Promise<void> {
  const limits = await lockLimits(tx, tenantId)
  const { files, bytes } = await measureEvidence(tx, tenantId, ['uploading', 'whole'])
  if (files >= limits.participantEvidence) {
    throw new Problem('conflict', {
      message: `A tenant can have at most ${limits.participantEvidence} evidence files. Delete one first.`,
    })
  }
  if (bytes >= limits.evidenceBytes) throw quotaExceeded(limits.evidenceBytes)
  await insertEvidence(tx, { id, tenantId, ecosystemId, participantId, filename, ...by, ...times })
}

async function complete(
  tx: Writer,
  id: string,
  sent: EvidenceUpload,
  content: Parameters<typeof completeEvidence>[3],
): Promise<EvidenceRow> {
  const { tenantId, ecosystemId, participantId } = sent
  const { evidenceBytes } = await lockLimits(tx, tenantId)
  if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
  if (!(await holdShared(tx, participants, tenantId, participantId))) throw participantDeleted(sent)
  const row = await completeEvidence(tx, tenantId, id, content)
  if (!row) throw participantDeleted(sent)
  await sent.commit(tx, row)
  if ((await measureEvidence(tx, tenantId, ['whole'])).bytes > evidenceBytes) throw quotaExceeded(evidenceBytes)
  return row
}

/** Locks the tenant and returns its limits. The lock makes concurrent uploads count each other's files. */
async function lockLimits(tx: Writer, tenantId: string): Promise<typeof defaultQuotas> {
  const tenant = await holdTenant(tx, tenantId)
  return { ...defaultQuotas, ...tenant?.settings.limits }
}

/** ISO 32000-2, 7.5.2. The header must be at the start, because another program could open a file that starts differently. */
const pdfHeader = /^%PDF-\d\.\d/

function requirePdf(content: Buffer): void {
  if (!pdfHeader.test(content.toString('latin1', 0, 8)))
    throw notPdf('Must be a PDF file that starts with a PDF header')
}

function notPdf(msg: string): Problem {
  return new Problem('unsupported_media_type', {
    message: 'The file is not a PDF',
    details: [{ msg, param: 'file', location: 'body' }],
  })
}

function quotaExceeded(maxBytes: number): Problem {
  return new Problem('conflict', {
    message: `A tenant can have at most ${maxBytes} bytes of evidence. Delete a file first.`,
  })
}

function participantDeleted({ participantId }: EvidenceUpload): Problem {
  return notFound('participantId', participantId)
}
