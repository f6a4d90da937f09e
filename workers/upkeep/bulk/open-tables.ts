import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { TablePortion } from '../../../shared/formats/table-file/table.ts'

/** A file that is read on a thread. */
export interface OpenTable {
  portions: AsyncGenerator<TablePortion, void>
  /** The number of the last row that was read, also of a blank or skipped one. */
  position: number
  /** The number of the last row that was returned. */
  returned: number
}

/**
 * The files whose validation waits for its next time slice. They stay open, so that a process reads each file once. A process that does not
 * have the file reads the rows before its time slice again.
 */
export interface OpenTables {
  /** Returns the open file, which is then in use, or opens it. */
  take(bulk: BulkIssuanceRow): OpenTable
  /** Keeps a file open that waits for its time slice. */
  touch(bulkId: string): void
  /** Keeps a file open until its next time slice. */
  keep(bulk: BulkIssuanceRow, table: OpenTable): Promise<void>
  /** Closes the file of a bulk issuance that is not validated any more. */
  close(bulkId: string): Promise<void>
}

/** Each open file has a thread. The file of which the fewest rows are read is closed first, because it takes the least time to read again. */
const maxOpen = 3
/** After this time without a time slice and without a wait, the validation continues in another process, or has ended. */
const closedAfterMs = 60_000

export function createOpenTables(
  open: (bulk: BulkIssuanceRow) => OpenTable,
  { max = maxOpen, afterMs = closedAfterMs } = {},
): OpenTables {
  const kept = new Map<string, { table: OpenTable; timer: NodeJS.Timeout }>()

  function remove(id: string): OpenTable | undefined {
    const openTable = kept.get(id)
    kept.delete(id)
    clearTimeout(openTable?.timer)
    return openTable?.table
  }

  async function close(id: string): Promise<void> {
    await remove(id)?.portions.return()
  }

  return {
    take(bulk) {
      const table = remove(bulk.id)
      if (table && table.returned <= bulk.progress) return table
      void table?.portions.return()
      return open(bulk)
    },
    touch(bulkId) {
      kept.get(bulkId)?.timer.refresh()
    },
    async keep({ id }, table) {
      const timer = setTimeout(() => void close(id), afterMs).unref()
      await close(id)
      kept.set(id, { table, timer })
      if (kept.size <= max) return
      const [shortest] = [...kept].sort(([, left], [, right]) => left.table.position - right.table.position)
      if (shortest) await close(shortest[0])
    },
    close,
  }
}
