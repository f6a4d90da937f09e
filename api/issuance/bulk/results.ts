import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk-issuances.ts'
import { type BulkRow, listBulkResults } from '../../../db/repos/issuance/bulk-rows.ts'
import { bulkResultContext } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { TableFormat } from '../../../shared/formats/table-file/table.ts'
import { tableLines, tableStart } from '../../../shared/formats/table-file/write-table.ts'
import type { Deps } from '../../deps.ts'
import type { Streamed } from '../../http/representations/media.ts'

/** The results of a bulk issuance, of the rows after a row. */
export interface Results {
  deps: Pick<Deps, 'db' | 'secrets'>
  bulk: BulkIssuanceRow
  after: number
}

const columns = ['row', 'externalId', 'credentialId', 'credential']
const pageSize = 200

/** Streams the results as a table. Reads the next rows when the caller has received those before. */
export function resultsIn(format: TableFormat, results: Results): Streamed {
  return { stream: Readable.from(linesOf(results, format), { objectMode: false }) }
}

async function* linesOf({ deps, bulk, after }: Results, format: TableFormat): AsyncIterable<Buffer> {
  yield Buffer.from(after === 0 ? tableStart(format, columns) : '')
  for (let cursor = after; ; ) {
    const page = { state: 'done', cursor, limit: pageSize } as const
    const rows = await listBulkResults(deps.db.read, bulk.tenantId, bulk.id, page)
    const results = rows.slice(0, pageSize).map((row) => resultOf(deps, row))
    if (results.length > 0) yield Buffer.from(tableLines(format, columns, results))
    if (rows.length <= pageSize) return
    cursor = rows[pageSize - 1]?.row ?? cursor
    await setImmediate() // lets other requests run
  }
}

function resultOf(
  { secrets }: Pick<Deps, 'secrets'>,
  {
    bulkId,
    row,
    externalId,
    credentialId,
    sealedResult,
  }: Pick<BulkRow, 'bulkId' | 'row' | 'externalId' | 'credentialId' | 'sealedResult'>,
) {
  const credential: unknown = JSON.parse(secrets.open(sealedResult ?? '', bulkResultContext(bulkId, row)))
  return { row, externalId, credentialId, credential }
}
