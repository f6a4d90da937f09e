import { setImmediate } from 'node:timers/promises'
import { listBulkResults } from '../../../db/repos/issuance/bulk-rows.ts'
import { bulkResultContext } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { TableFormat } from '../../../shared/formats/table-file/table.ts'
import { tableLines, tableStart } from '../../../shared/formats/table-file/write-table.ts'
import type { Deps } from '../../deps.ts'
import type { Streamed } from '../../http/representations/media.ts'
import { downloadOf } from './downloads.ts'
import { type LinkResults, linkColumns, readLinkResults, recordDownload } from './link-results.ts'

/** The results of a bulk issuance, of the rows after a row. */
export interface Results extends LinkResults {
  deps: LinkResults['deps'] & Pick<Deps, 'downloads'>
  after: number
}

const pageSize = 200

/** Streams the results as a table. Reads the next rows when the caller has received those before. */
export function resultsIn(format: TableFormat, results: Results): Streamed {
  const { deps, bulk } = results
  return { stream: downloadOf(linesOf(results, format), { downloads: deps.downloads, tenantId: bulk.tenantId }) }
}

async function* linesOf(results: Results, format: TableFormat): AsyncIterable<Buffer> {
  const { bulk, after } = results
  const columns = bulk.mode === 'links' ? linkColumns(results) : ['row', 'externalId', 'credentialId', 'credential']
  const read = bulk.mode === 'links' ? readLinkResults : readCredentials
  yield Buffer.from(after === 0 ? tableStart(format, columns) : '')
  for (let cursor = after; ; ) {
    const rows = await read(results, { after: cursor, limit: pageSize }, columns)
    if (rows.length > 0) yield Buffer.from(tableLines(format, columns, rows))
    if (rows.length < pageSize) break
    cursor = rows.at(-1)?.row ?? cursor
    await setImmediate() // lets other requests run
  }
  if (bulk.mode === 'links' && after === 0) await recordDownload(results, columns)
}

async function readCredentials(
  { deps: { db, secrets }, bulk }: Results,
  { after, limit }: { after: number; limit: number },
): Promise<{ row: number }[]> {
  const page = { state: 'done', cursor: after, limit } as const
  const rows = await listBulkResults(db.read, bulk.tenantId, bulk.id, page)
  return rows.slice(0, limit).map(({ bulkId, row, externalId, credentialId, sealedResult }) => {
    const credential: unknown = JSON.parse(secrets.open(sealedResult ?? '', bulkResultContext(bulkId, row)))
    return { row, externalId, credentialId, credential }
  })
}
