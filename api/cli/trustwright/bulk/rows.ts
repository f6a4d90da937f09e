import { existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type ApiClient, itemsOf, type paths } from '../../../../shared/client/client.ts'
import { csvLine, tableLines } from '../../../../shared/formats/table-file/write-table.ts'
import { UsageError } from '../command.ts'
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

/** Earlier errors can be overwritten. Any other file can be the file of people. */
export async function refuseOtherFile(file: string): Promise<void> {
  if (!existsSync(file)) return
  const header = csvLine(columns)
  const { buffer, bytesRead } = await withFile(file, (opened) => opened.read(Buffer.alloc(header.length), 0))
  if (buffer.toString('utf8', 0, bytesRead) === header) return
  throw new UsageError(`${file} exists and is not a file of errors. Choose another name, or move the file away`)
}

async function withFile<Result>(file: string, use: (opened: FileHandle) => Promise<Result>): Promise<Result> {
  const opened = await open(file)
  return use(opened).finally(() => opened.close())
}

/** Writes rows with an error as CSV. */
export async function writeErrors(file: string, rows: AsyncIterable<Row>): Promise<void> {
  await refuseOtherFile(file)
  async function* lines() {
    yield csvLine(columns)
    for await (const row of rows) yield tableLines('csv', columns, [row])
  }
  await writeWhole(file, lines())
}
