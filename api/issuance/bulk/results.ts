import { setImmediate } from 'node:timers/promises'
import { listBulkResults } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import type { ShownLinkState } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import type { TableFormat } from '../../../shared/formats/table-file/table.ts'
import { tableLines, tableMedia, tableStart } from '../../../shared/formats/table-file/write-table.ts'
import { bulkResultContext } from '../../../shared/secrets/stored-contexts.ts'
import type { Deps } from '../../deps.ts'
import type { Streamed } from '../../http/representations/media.ts'
import { beginDownload } from './downloads.ts'
import { withKept } from './kept-cells.ts'
import {
  columnsOfState,
  type LinkResults,
  linkColumns,
  linkVersion,
  readLinkResults,
  readLinksInState,
  recordDownload,
} from './link-results.ts'

/** The results of a bulk issuance, of the rows after a row. */
export interface Results extends LinkResults {
  deps: LinkResults['deps'] & Pick<Deps, 'downloads'>
  after: number
  /** Only the links in this state. Absent: all results. */
  state?: ShownLinkState | undefined
}

/** Returns the version of results, or null while rows are issued. The erasure of a user removes results. */
export function resultVersion(results: LinkResults): string | null {
  const { mode, state, run, erasures } = results.bulk
  const links = mode === 'links' ? linkVersion(results) : ''
  if (links === null || (state !== 'done' && state !== 'cancelled')) return null
  return `${run}-${erasures}${links}`
}

/** Returns the file name of results: `people-results.csv` for the file `people.csv.gz`. */
export function resultFileName(fileName: string, mediaType: string): string {
  const { extension } = mediaType === tableMedia.jsonl.type ? tableMedia.jsonl : tableMedia.csv
  return `${fileName.replace(tableFileEnd, '')}-results.${extension}`
}

const tableFileEnd = /(\.(csv|tsv|txt|jsonl|ndjson))?(\.gz)?$/i

/** A page has at most this many rows, and about this many bytes. */
const page = { limit: 200, maxBytes: 1_000_000 }
/** Results are opened for so long before other requests run. */
const busyMs = 10

/** Streams the results as a table. */
export function resultsIn(format: TableFormat, results: Results): Streamed {
  const { deps, bulk } = results
  return { stream: beginDownload(deps.downloads, bulk.tenantId, chunksOf(results, format)) }
}

async function* chunksOf(results: Results, format: TableFormat): AsyncGenerator<Buffer> {
  const { bulk, after } = results
  const { own, read } = tableOf(results)
  const columns = [...own, ...(bulk.columns.kept ?? [])]
  let hasRows = false
  let start = after === 0 ? tableStart(format, columns) : ''
  for (let cursor = after; ; ) {
    const rows = await withKept(results, await read(results, { ...page, after: cursor }, columns))
    const last = rows.at(-1)
    const lines = start + tableLines(format, columns, rows)
    if (last && !hasRows && bulk.mode === 'links') await recordDownload(results, columns)
    if (lines !== '') yield Buffer.from(lines)
    if (!last) break
    hasRows = true
    start = ''
    cursor = last.row
    await setImmediate() // lets other requests run
  }
}

interface ResultTable {
  /** The columns without those that are kept. */
  own: string[]
  read(
    results: Results,
    page: { after: number; limit: number; maxBytes: number },
    columns: string[],
  ): Promise<{ row: number }[]>
}

function tableOf(results: Results): ResultTable {
  const { bulk, state } = results
  if (bulk.mode === 'sign') return { own: ['row', 'externalId', 'credentialId', 'credential'], read: readCredentials }
  if (state === undefined) return { own: linkColumns(results), read: readLinkResults }
  return { own: columnsOfState, read: (_results, page) => readLinksInState(results, state, page) }
}

async function readCredentials(
  { deps: { db, secrets }, bulk }: Results,
  { after, ...size }: { after: number; limit: number; maxBytes: number },
): Promise<{ row: number }[]> {
  const opened: ({ row: number } & Record<string, unknown>)[] = []
  let since = performance.now()
  for (const each of await listBulkResults(db.read, bulk.tenantId, bulk.id, { ...size, cursor: after })) {
    const { row, externalId, credentialId, sealedResult } = each
    const credential: unknown = JSON.parse(secrets.open(sealedResult ?? '', bulkResultContext(bulk.id, row)))
    opened.push({ row, externalId, credentialId, credential })
    if (performance.now() - since < busyMs) continue
    await setImmediate()
    since = performance.now()
  }
  return opened
}
