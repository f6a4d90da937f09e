import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, dataOf, type paths } from '../../../../shared/client/client.ts'
import { type CommandCall, textOf, UsageError } from '../command.ts'
import { configurationIdsOf } from '../configuration-ids.ts'
import { countOf } from '../count-of.ts'
import { findProfile } from '../profiles.ts'
import { createReport, durationOf, type ProgressReport } from './report.ts'
import { refuseExisting, saveResults } from './results.ts'
import { lineOfRow, type Row, refuseOtherFile, writeErrors, wrongRows } from './rows.ts'
import { removeState, stateFileOf } from './state-file.ts'
import { terminalText } from './terminal-text.ts'
import { type UploadOptions, uploadFile } from './upload.ts'

export type Bulk = paths['/v1/bulk-issuances/{id}']['get']['responses'][200]['content']['application/json']

/** The options of `bulk run`. */
export interface BulkRunOptions {
  /** Absent: `resume` is the bulk issuance. */
  upload?: UploadOptions
  resume?: string
  /** Absent only with `validateOnly`. */
  out?: string
  errors?: string
  validateOnly: boolean
}

interface Work {
  call: CommandCall
  client: ApiClient
  report: ProgressReport
  signal: AbortSignal
}

/** Uploads a file or continues with it, follows the validation and the issuance, and saves the results. Returns the exit code. */
export async function runBulk(call: CommandCall, order: BulkRunOptions): Promise<number> {
  const { out, errors, upload } = order
  if (out !== undefined) refuseExisting(out)
  if (errors !== undefined) await refuseOtherFile(errors)
  const { baseUrl } = findProfile(call.terminal.env, call.profile)
  const state = out !== undefined && upload ? stateFileOf(out, { baseUrl, file: upload.file }) : undefined
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const report = createReport(call.terminal)
  const work = { call, client: await call.client(), report, signal: ending.signal }
  let id = order.resume ?? state?.read()
  const isContinued = id !== undefined
  try {
    if (upload && id === undefined) {
      const fields = await withConfigurationIds(work.client, upload.fields)
      id = await uploadFile(call, { ...upload, fields }, { report, signal: ending.signal })
      state?.write(id)
    }
    return await complete(work, { ...order, id: id ?? '', isContinued })
  } catch (error) {
    if (!ending.signal.aborted) throw error
    report.clear()
    call.terminal.stderr.write(`${textOfInterruption(id, out)}\n`)
    return 1
  } finally {
    report.clear()
  }
}

function textOfInterruption(id: string | undefined, out: string | undefined): string {
  if (id === undefined) return 'The upload was cut off. Nothing was issued. Run the command again.'
  const rest = out === undefined ? '--validate-only' : `--out ${out}`
  return `Bulk issuance ${id} continues at the service. Run the same command again to follow it, or:\ntrustwright bulk run --resume ${id} ${rest}`
}

type Known = BulkRunOptions & { id: string; isContinued: boolean }

async function complete(work: Work, order: Known): Promise<number> {
  const { id, out, validateOnly } = order
  const { call, client, report, signal } = work
  const isSettled = (bulk: Bulk) => bulk.state !== 'receiving' && bulk.state !== 'validating'
  let bulk = await follow(work, id, isSettled, showValidation)
  report.clear()
  printUnused(call, bulk)
  const wrong = await reportErrors(work, order, bulk)
  if (bulk.state === 'ready' && !validateOnly) bulk = await post(work, id, 'start')
  else if (bulk.state === 'paused' && order.isContinued && !validateOnly) bulk = await post(work, id, 'resume')
  if (!validateOnly) bulk = await follow(work, id, ({ state: now }) => now !== 'running', showIssuance)
  report.clear()
  // The start waits for an approval. The same command continues after it.
  if (bulk.state === 'ready' && !validateOnly) {
    call.print(bulk, summaryOf(bulk, order))
    return 1
  }
  if (bulk.state === 'failed' || bulk.state === 'paused') {
    if (bulk.state === 'failed' && out !== undefined) removeState(out, id)
    call.terminal.stderr.write(`${textOfEnd(bulk, out)}\n`)
  } else if (!validateOnly && out !== undefined) {
    // A file without results would block the same command.
    if (bulk.done > 0) await saveResults(client, id, out, { signal, stderr: call.terminal.stderr })
    removeState(out, id)
  }
  call.print(bulk, summaryOf(bulk, order))
  if (validateOnly) return bulk.state === 'ready' && wrong === 0 ? 0 : 1
  return bulk.state === 'done' && wrong + bulk.failed === 0 ? 0 : 1
}

/** Replaces the names of configurations with their ids. */
async function withConfigurationIds(
  client: ApiClient,
  fields: UploadOptions['fields'],
): Promise<UploadOptions['fields']> {
  const isConfiguration = ([name]: UploadOptions['fields'][number]) => name === 'configurationIds'
  const names = fields.filter(isConfiguration).map(([, name]) => name)
  const ids = (await configurationIdsOf(client, names)).map((id) => ['configurationIds', id] as const)
  return [...ids, ...fields.filter((field) => !isConfiguration(field))]
}

/** Reads the bulk issuance until `isReached`, first often and then every two seconds. */
async function follow(
  { client, report, signal }: Work,
  id: string,
  isReached: (bulk: Bulk) => boolean,
  show: (report: ProgressReport, bulk: Bulk) => void,
): Promise<Bulk> {
  for (let pauseMs = 200; ; pauseMs = Math.min(2_000, pauseMs * 1.5)) {
    const bulk = await dataOf(client.GET('/v1/bulk-issuances/{id}', { params: { path: { id } }, signal }))
    if (isReached(bulk)) return bulk
    show(report, bulk)
    await sleep(pauseMs, undefined, { signal })
  }
}

function showValidation(report: ProgressReport, { total, invalid }: Bulk): void {
  report.show(`Checking the rows: ${total} read, ${invalid} with an error`)
}

function showIssuance(report: ProgressReport, { done, failed, valid, perSecond = 0, etaSeconds }: Bulk): void {
  const left = etaSeconds === undefined ? '' : `, ${durationOf(etaSeconds)} left`
  report.show(
    `Issuing: ${done} of ${valid}, ${Math.round(perSecond)}/s${left}`,
    valid === 0 ? 1 : (done + failed) / valid,
  )
}

/** Changes the state. If it was changed meanwhile, the current state counts. */
async function post({ client, signal }: Work, id: string, verb: 'start' | 'resume'): Promise<Bulk> {
  const of = { params: { path: { id } }, signal }
  // Boundary: the operations have the same types.
  const path = `/v1/bulk-issuances/{id}/${verb}` as '/v1/bulk-issuances/{id}/start'
  const changed = await client.POST(path, of)
  if (changed.response.status !== 409) return dataOf(Promise.resolve(changed))
  return dataOf(client.GET('/v1/bulk-issuances/{id}', of))
}

/** Names the columns that no configuration reads. A claim could be in one of them under another name. */
function printUnused({ terminal }: CommandCall, { columns }: Bulk): void {
  if (!columns || columns.unused.length === 0) return
  terminal.stderr.write(`Columns that no configuration reads: ${terminalText(columns.unused.join(', '))}\n`)
}

/** Prints or stores the rows with an error before the issuance. Returns their number. */
async function reportErrors({ call, client, signal }: Work, order: Known, bulk: Bulk): Promise<number> {
  const { stderr } = call.terminal
  if (bulk.invalid + bulk.failed === 0) return 0
  if (order.errors !== undefined) {
    await writeErrors(order.errors, wrongRows(client, order.id, signal))
    stderr.write(`${countOf(bulk.invalid, 'row has an error', 'rows have an error')}: ${order.errors}\n`)
  } else for await (const row of wrongRows(client, order.id, signal)) printRow(stderr, row)
  return bulk.invalid
}

function printRow(stderr: NodeJS.WriteStream, row: Row): void {
  stderr.write(`${lineOfRow(row)}\n`)
}

/** Returns the end of a bulk issuance without results, for the terminal. */
export function textOfEnd(
  { state, failure, id }: Pick<Bulk, 'state' | 'failure' | 'id'>,
  out: string | undefined,
): string {
  const reason = failure ? `: ${terminalText(failure.message)} (${failure.code})` : ''
  if (state === 'failed') return `The file was refused${reason}`
  return `Bulk issuance ${id} is paused${reason}. Continue it with "trustwright bulk run --resume ${id} --out ${out}"`
}

function summaryOf(
  { id, state, total, valid, invalid, done, failed }: Bulk,
  { out, validateOnly }: BulkRunOptions,
): string {
  const wrong = countOf(invalid, 'has an error', 'have an error')
  if (state === 'failed' || (validateOnly && state === 'ready')) {
    const checked = `Checked ${countOf(total, 'row')}: ${valid} can be issued, ${wrong}`
    return state === 'failed'
      ? 'Nothing was issued'
      : `${checked}. Issue them: trustwright bulk run --resume ${id} --out ${out ?? 'results.csv'}`
  }
  const isSaved = out !== undefined && !validateOnly && state !== 'paused' && done > 0
  const saved = isSaved ? ` The results are in ${out}` : ''
  return `Bulk issuance ${id} is ${state}. ${done} of ${total} rows ${done === 1 ? 'is' : 'are'} issued, ${wrong}, ${failed} could not be signed.${saved}`
}

/** Returns the order of the options. `upload` is absent with `--resume`. */
export function orderOf(call: CommandCall, upload: UploadOptions | undefined): BulkRunOptions {
  const resume = textOf(call, 'resume')
  const out = textOf(call, 'out')
  const errors = textOf(call, 'errors')
  const validateOnly = call.values['validate-only'] === true
  if (out === undefined && !validateOnly) throw new UsageError('--out is required, such as --out results.csv')
  return {
    ...(upload && { upload }),
    ...(resume !== undefined && { resume }),
    ...(out !== undefined && { out }),
    ...(errors !== undefined && { errors }),
    validateOnly,
  }
}
