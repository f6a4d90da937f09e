import { type ApiClient, itemsOf, type paths } from '../../../../shared/client/client.ts'
import { csvLine, tableLines } from '../../../../shared/formats/table-file/write-table.ts'
import { writeWhole } from './part-file.ts'
import { terminalText } from './terminal-text.ts'

type Responses = paths['/v1/bulk-issuances/{id}/rows']['get']['responses']
export type Row = Responses[200]['content']['application/json']['data'][number]

const columns = ['row', 'externalId', 'column', 'code', 'message']

/** Returns the rows with an error: those that were refused, then those that could not be signed. */
export async function* wrongRows(client: ApiClient, id: string, signal?: AbortSignal): AsyncGenerator<Row> {
  for (const state of ['invalid', 'failed'] as const)
    yield* itemsOf((page) =>
      client.GET('/v1/bulk-issuances/{id}/rows', {
        params: { path: { id }, query: { state, limit: 1000, ...page } },
        ...(signal && { signal }),
      }),
    )
}

/** `Row 7, given_name: There is no value for the claim given_name. (missing_claim)`. The file can have control characters. */
export function lineOfRow({ row, column, message, code }: Row): string {
  const text = `Row ${row}${column === undefined ? '' : `, ${column}`}: ${message ?? ''} (${code ?? ''})`
  return terminalText(text)
}

/** Writes rows with an error as CSV. */
export async function writeErrors(file: string, rows: AsyncIterable<Row>): Promise<void> {
  async function* lines() {
    yield csvLine(columns)
    for await (const row of rows) yield tableLines('csv', columns, [row])
  }
  await writeWhole(file, lines())
}
