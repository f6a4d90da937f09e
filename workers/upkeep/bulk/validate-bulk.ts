import type { Writer } from '../../../db/client.ts'
import { addToOutbox, removeFromOutbox } from '../../../db/outbox.ts'
import {
  type BulkIssuanceRow,
  endValidation,
  findBulkChunk,
  findBulkIssuance,
  refuseFile,
} from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { startRun } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { findConfigurationSigners } from '../../../db/repos/issuance/configuration-signers.ts'
import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { findUsers } from '../../../db/repos/issuance/users/users.ts'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import { bulkFileRemoval, bulkRowRemoval } from '../../../db/retention/bulk-removal.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { columnName } from '../../../shared/domain/issuance/bulk-columns.ts'
import {
  bulkKeptDays,
  bulkRunId,
  bulkRunPriority,
  maxBulkFileBytes,
  maxBulkRowBytes,
  maxBulkRows,
} from '../../../shared/domain/issuance/bulk-issuances.ts'
import { readTableOnThread } from '../../../shared/formats/table-file/read-table-on-thread.ts'
import { lastRowOf, TableError, type TablePortion } from '../../../shared/formats/table-file/table.ts'
import type { Payload } from '../../../shared/jobs/registry.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { bulkChunkContext } from '../../../shared/secrets/stored-contexts.ts'
import type { WorkerDeps } from '../../jobs/handlers.ts'
import { runBatchesUntil } from '../../jobs/run-until.ts'
import { createTimeSlices } from '../../jobs/time-slices.ts'
import { Postpone } from '../../serve.ts'
import { type CheckedColumns, checkColumns } from './check-columns.ts'
import { checkRows, type RowRules, userIdsOf } from './check-rows.ts'
import { createOpenTables, type OpenTable, type OpenTables } from './open-tables.ts'
import { shownText } from './shown-text.ts'
import { BulkFileError, storePortion } from './store-portion.ts'

export type BulkDeps = WorkerDeps & { secrets: Secrets }

/**
 * After this time the job is queued again, so that files of other tenants can be validated. It counts from the first stored portion. A time
 * slice that had to read the rows before it again is as long as this reading, so that all time slices together take at most twice as long
 * as one.
 */
const maxTimeSliceMs = 1_000

/** The portions of stored rows that a time slice reads again. A portion has at most 1 MB. The next time slice continues this reading. */
const maxPortionsAgain = 200

/** Each validation has a thread. The other jobs of the queue have the rest of its slots. */
const maxAtOnce = 2

/** Returns the handler of the job. In a process, the validations of tenants run round robin. */
export function createValidateBulk(
  deps: BulkDeps,
  timeSliceMs = maxTimeSliceMs,
  portionsAgain = maxPortionsAgain,
): (payload: Payload<'validateBulkIssuance'>) => Promise<void> {
  const slices = createTimeSlices(maxAtOnce, { finishesJobs: true })
  const tables = createOpenTables((bulk) => openTable(deps, bulk))
  const validation = { ...deps, tables, limits: { timeSliceMs, portionsAgain } }
  return ({ tenantId, bulkId }) => {
    tables.touch(bulkId)
    return slices.take({ tenantId, id: bulkId }, () => validateBulk(validation, { tenantId, bulkId }))
  }
}

/** The state that the time slices of a process share. */
interface Validation extends BulkDeps {
  tables: OpenTables
  limits: { timeSliceMs: number; portionsAgain: number }
}

/** Validates the rows of a file in portions, each in one transaction. The job can run any number of times. */
async function validateBulk(deps: Validation, { tenantId, bulkId }: Payload<'validateBulkIssuance'>): Promise<void> {
  const { db } = deps
  const bulk = await findBulkIssuance(db.read, tenantId, bulkId)
  if (bulk?.state === 'validating') await validateFile(deps, bulk)
  else await deps.tables.close(bulkId)
  await removeRest(deps, { tenantId, bulkId })
  await db.tx((tx) => removeFromOutbox(tx, [bulkId]))
  deps.bus.poke()
}

/** Removes the file, because the rows have what is needed of it. A refused file leaves no rows. Throws `Postpone` after a time slice. */
async function removeRest(
  { limits, ...deps }: Validation,
  { tenantId, bulkId }: Payload<'validateBulkIssuance'>,
): Promise<void> {
  const until = performance.now() + limits.timeSliceMs
  const ended = await findBulkIssuance(deps.db.read, tenantId, bulkId)
  const rest = [bulkFileRemoval(tenantId, bulkId)]
  if (ended?.state === 'failed') rest.push(bulkRowRemoval(tenantId, bulkId))
  for (const removal of rest) {
    const { isAll } = await runBatchesUntil(deps, removal, until)
    if (!isAll) throw new Postpone(0)
  }
}

/** Throws `Postpone` if rows are left. */
async function validateFile(deps: Validation, bulk: BulkIssuanceRow): Promise<void> {
  const { db, clock } = deps
  const { tenantId, id } = bulk
  const expiresAt = () => plusMs(clock.now(), bulkKeptDays * dayMs)
  try {
    await storeRows(deps, bulk)
    await db.tx((tx) => finish(tx, bulk, { at: clock.now(), expiresAt: expiresAt() }))
  } catch (error) {
    if (!(error instanceof BulkFileError || error instanceof TableError)) throw error
    const failure = { code: error.code, message: shownText(error.message) }
    await db.tx((tx) => refuseFile(tx, tenantId, id, { failure, endedAt: clock.now(), expiresAt: expiresAt() }))
  }
}

/** Ends the validation, and starts the issuance unless the bulk issuance is only to be validated or its start needs an approval. */
async function finish(
  tx: Writer,
  { tenantId, id, validateOnly }: BulkIssuanceRow,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  const isEnded = await endValidation(tx, tenantId, id, { expiresAt })
  if (!isEnded || validateOnly || (await needsApproval(tx, tenantId, id))) return
  const row = await startRun(tx, tenantId, id, { from: ['ready'], at, issues: 'valid' })
  const run = row?.run ?? 0
  await addToOutbox(
    tx,
    'issueBulk',
    [{ id: bulkRunId(id, run), payload: { tenantId, bulkId: id, run }, priority: bulkRunPriority }],
    at,
  )
}

/** Returns whether another person must approve the start. A start by request asks for the approval (api/approvals). */
async function needsApproval(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const above = (await findTenant(tx, tenantId))?.settings.approvals.bulkIssuances
  if (above === undefined) return false
  const bulk = await findBulkIssuance(tx, tenantId, id)
  return bulk !== undefined && bulk.valid > above
}

function openTable(deps: BulkDeps, bulk: BulkIssuanceRow): OpenTable {
  const limits = { maxBytes: maxBulkFileBytes, maxRows: maxBulkRows, maxRowBytes: maxBulkRowBytes }
  const options = { format: bulk.format, ...limits, fromRow: bulk.progress + 1 }
  return { portions: readTableOnThread(contentOf(deps, bulk), options), position: 0, returned: 0 }
}

/** Stores the rows after the last stored one. Throws `Postpone` after a time slice. */
async function storeRows(deps: Validation, bulk: BulkIssuanceRow): Promise<void> {
  const { tables, limits } = deps
  const rules = await rulesOf(deps, bulk)
  const startedAt = performance.now()
  const table = tables.take(bulk)
  let after = bulk.progress
  let until: number | undefined
  let portionsAgain = 0
  let isKept = false
  try {
    for (;;) {
      const { value: portion, done } = await table.portions.next()
      if (done) return
      table.position = lastRowOf(portion)
      table.returned = portion.rows.at(-1)?.number ?? table.returned
      // An earlier time slice, or another process, has stored the rows before.
      const rows = portion.rows.filter(({ number }) => number > after)
      if (rows.length === 0) await requireValidating(deps, bulk)
      if (rows.length === 0 && table.position <= after) {
        if (++portionsAgain >= limits.portionsAgain) break
        continue
      }
      until ??= performance.now() + Math.max(limits.timeSliceMs, portionsAgain > 0 ? performance.now() - startedAt : 0)
      if (rows.length > 0) {
        // Without a row that can be read, JSON Lines has no columns. The errors of the rows tell the reason.
        const isFirst = bulk.total === 0 && after === 0 && portion.columns.length > 0
        const checked = checkColumns(portion, rules, { isFirst, format: bulk.format })
        after = await storeOne(deps, bulk, { ...rules, ...checked }, { ...portion, rows }, after)
        rules.columns.use = checked.columnUse
      }
      if (performance.now() > until) break
    }
    await tables.keep(bulk, table)
    isKept = true
    throw new Postpone(0)
  } finally {
    if (!isKept) await table.portions.return()
  }
}

async function rulesOf(deps: BulkDeps, bulk: BulkIssuanceRow): Promise<Omit<RowRules, 'users' | 'claimColumns'>> {
  const { mode, signIn, columns } = bulk
  const configurations = await configurationsOf(deps, bulk)
  const now = deps.clock.now()
  const { authorities } = await findConfigurationSigners(deps.db.read, configurations, now)
  return { mode, signIn, configurations, columns: withColumnNames(columns), conditions: { now, authorities } }
}

/** Ends the time slice if the bulk issuance was deleted or cancelled. The next time slice closes its file. */
async function requireValidating({ db }: BulkDeps, { tenantId, id }: BulkIssuanceRow): Promise<void> {
  const bulk = await findBulkIssuance(db.read, tenantId, id)
  if (bulk?.state !== 'validating') throw new Postpone(0)
}

async function configurationsOf(
  { db }: BulkDeps,
  { tenantId, configurationIds }: BulkIssuanceRow,
): Promise<ConfigurationRow[]> {
  const configurations = await Promise.all(configurationIds.map((id) => findConfiguration(db.read, tenantId, id)))
  return configurations.map((each) => {
    if (!each) throw new BulkFileError('unknown_configuration', 'The credential configuration was deleted.')
    return each
  })
}

/** Checks and stores a portion. Returns the number of its last row. */
async function storeOne(
  { db, secrets }: BulkDeps,
  { tenantId, id: bulkId }: BulkIssuanceRow,
  { columnUse, ...rules }: Omit<RowRules, 'users'> & CheckedColumns,
  { rows }: TablePortion,
  after: number,
): Promise<number> {
  const userRows = await findUsers(db.read, tenantId, userIdsOf(rules.columns, rows))
  const users = new Map(userRows.map((user) => [user.id, user]))
  const checked = await checkRows({ ...rules, users }, rows)
  const isStored = await db.tx((tx) => storePortion(tx, secrets, { tenantId, bulkId, after, rows: checked, columnUse }))
  // Another worker has stored the portion, or the bulk issuance was deleted. The next run finds out.
  if (!isStored) throw new Postpone(1_000)
  return rows.at(-1)?.number ?? after
}

async function* contentOf({ db, secrets }: BulkDeps, { tenantId, id }: BulkIssuanceRow): AsyncIterable<Uint8Array> {
  for (let position = 0; ; position++) {
    const chunk = await findBulkChunk(db.read, tenantId, id, position)
    if (!chunk) return
    yield secrets.openBytes(chunk, bulkChunkContext(id, position))
  }
}

function withColumnNames({ externalId, userId, ...others }: BulkIssuanceRow['columns']): BulkIssuanceRow['columns'] {
  return { ...others, externalId: columnName(externalId), userId: userId === null ? null : columnName(userId) }
}
