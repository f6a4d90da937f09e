import type { Writer } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import {
  abandonUpload,
  appendBulkChunk,
  completeUpload,
  extendUpload,
  insertBulkIssuance,
  measureBulkIssuances,
  type NewBulkIssuanceRow as NewRow,
} from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { defaultSettings, type TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../../shared/clock.ts'
import { bulkChunkBytes } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { defaultQuotas } from '../../../shared/domain/tenancy/limits.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { bulkChunkContext } from '../../../shared/secrets/stored-contexts.ts'
import { refuseMoving } from '../../access/tenant.ts'
import type { Deps } from '../../deps.ts'
import { rechunk } from '../../http/multipart/rechunk.ts'
import { type BulkForm, settingsOf } from './settings.ts'

export interface BulkUpload {
  tenantId: string
  fileName: string
  by: Pick<NewRow, 'startedBy' | 'starter'>
  /** The content. The stream fails if the upload is incomplete. */
  stream: AsyncIterable<Buffer>
  /** Returns the other form fields. Call it after the file was read. Throws if a field is invalid. */
  settings(): BulkForm
  /** Called in the transaction that completes the upload, before it counts against the limits of the tenant. */
  commit(tx: Writer, id: string): Promise<void>
}

/** An upload is extended by this time. It is removed if its process has stopped. */
const extensionMs = 30_000
const heartbeatMs = extensionMs / 3
/** An upload without a new chunk for this time is extended no more. A sender at the minimum rate sends several. */
const abandonedAfterMs = 10 * 60_000

/**
 * Stores a file in sealed chunks during the upload, each in its own transaction, so that no transaction waits for the sender. The last
 * transaction completes the upload. An incomplete upload is invisible, and its chunks are deleted soon. Throws `conflict` at the limit of
 * the tenant.
 */
export async function uploadBulk(deps: Deps, change: Change, sent: BulkUpload, everyMs = heartbeatMs): Promise<string> {
  const { db, clock, secrets } = deps
  const { tenantId } = sent
  const id = newOrderedId(clock.now())
  const expiresAt = () => plusMs(clock.now(), extensionMs)
  const row = { id, tenantId, fileName: sent.fileName, ...sent.by, createdAt: clock.now(), expiresAt: expiresAt() }
  await db.tx((tx) => begin(tx, row))
  let receivedAt = clock.now()
  const heartbeat = setInterval(() => {
    if (clock.now() > plusMs(receivedAt, abandonedAfterMs)) return
    // The next chunk finds out whether the upload was removed.
    db.tx((tx) => extendUpload(tx, tenantId, id, expiresAt())).catch(() => {})
  }, everyMs)
  try {
    let position = 0
    for await (const plaintext of rechunk(sent.stream, bulkChunkBytes)) {
      const content = secrets.sealBytes(plaintext, bulkChunkContext(id, position))
      const chunk = { position: position++, content, sizeBytes: plaintext.length, expiresAt: expiresAt() }
      if (!(await db.tx((tx) => appendBulkChunk(tx, tenantId, id, chunk)))) throw ended()
      receivedAt = clock.now()
    }
    if (position === 0) throw wrongField('file', 'The file is empty')
    await complete(change, id, sent, sent.settings(), clock.now())
    deps.bus.poke()
    return id
  } catch (error) {
    // If this fails too, the upload is removed after its expiry.
    await db.tx((tx) => abandonUpload(tx, tenantId, id, clock.now())).catch(() => {})
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

async function begin(tx: Writer, row: NewRow): Promise<void> {
  const { limits } = await lockSettings(tx, row.tenantId)
  const { files, bytes } = await measureBulkIssuances(tx, row.tenantId, row.createdAt)
  if (files >= limits.bulkIssuances) {
    const message = `A tenant can have at most ${limits.bulkIssuances} bulk issuances. Delete one first.`
    throw new Problem('conflict', { message })
  }
  if (bytes >= limits.bulkFileBytes) throw quotaExceeded(limits.bulkFileBytes)
  await insertBulkIssuance(tx, row)
}

async function complete(change: Change, id: string, sent: BulkUpload, form: BulkForm, at: Date) {
  const { tenantId, fileName } = sent
  await change(async (tx, record) => {
    const { limits, ...tenantSettings } = await lockSettings(tx, tenantId)
    await sent.commit(tx, id)
    const settings = await settingsOf(tx, { id: tenantId, settings: tenantSettings }, form, fileName)
    if (!(await completeUpload(tx, tenantId, id, settings))) throw ended()
    if ((await measureBulkIssuances(tx, tenantId, at)).bytes > limits.bulkFileBytes)
      throw quotaExceeded(limits.bulkFileBytes)
    await addToOutbox(tx, 'validateBulkIssuance', [{ id, payload: { tenantId, bulkId: id } }], at)
    const { mode, configurationIds, viewId } = settings
    record(tenantId, { id, mode, configurationIds, ...(viewId !== null && { view: viewId }) })
  })
}

/**
 * Locks the tenant and returns its limits and its default view. The lock makes concurrent uploads count each other's files. Throws `service_unavailable` if the
 * tenant is read-only since the request began.
 */
async function lockSettings(
  tx: Writer,
  tenantId: string,
): Promise<Pick<TenantSettings, 'defaultView'> & { limits: typeof defaultQuotas }> {
  const tenant = await holdTenant(tx, tenantId)
  if (tenant) refuseMoving(tenant)
  const { limits, defaultView } = tenant?.settings ?? defaultSettings
  return { limits: { ...defaultQuotas, ...limits }, defaultView }
}

function quotaExceeded(maxBytes: number): Problem {
  return new Problem('conflict', {
    message: `The files of bulk issuances can have at most ${maxBytes} bytes until their rows are stored. Wait, or delete one.`,
  })
}

function ended(): Problem {
  return new Problem('conflict', { message: 'The upload has ended. Send the file again.' })
}
