import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ApiClient, dataOf, itemsOf, type paths, TrustwrightError } from '../../../../shared/client/client.ts'
import { csvLine, tableLines, tableMedia } from '../../../../shared/formats/table-file/write-table.ts'
import { UsageError } from '../command.ts'
import { terminalText } from './terminal-text.ts'

type Responses = paths['/v1/bulk-issuances/{id}/rows']['get']['responses']
export type Row = Responses[200]['content']['application/json']['data'][number]

const columns = ['row', 'externalId', 'column', 'code', 'message']
const attempts = 3

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

/** `.jsonl` and `.ndjson` are JSON Lines. All other names are CSV. */
export function formatOfResults(file: string): 'csv' | 'jsonl' {
  return /\.(jsonl|ndjson)$/i.test(file) ? 'jsonl' : 'csv'
}

export async function readResults(
  client: ApiClient,
  id: string,
  format: 'csv' | 'jsonl',
  signal?: AbortSignal,
): Promise<Readable> {
  const init = { parseAs: 'stream', headers: { Accept: tableMedia[format].type }, ...(signal && { signal }) } as const
  const stream = await dataOf(client.GET('/v1/bulk-issuances/{id}/results', { params: { path: { id } }, ...init }))
  // Boundary: `parseAs` makes the data a stream.
  return Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0])
}

/** Results are never overwritten: those of a later download can be without transaction codes. */
export function refuseExisting(out: string): void {
  if (existsSync(out)) throw new UsageError(`${out} exists. Choose another --out, or move the file away`)
  if (!existsSync(dirname(out))) throw new UsageError(`The folder ${dirname(out)} of --out does not exist`)
}

/** Downloads the results to a file. An incomplete download leaves no such file, and is repeated. */
export async function saveResults(client: ApiClient, id: string, file: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeWhole(file, await readResults(client, id, formatOfResults(file), signal))
    } catch (error) {
      if (attempt === attempts || signal.aborted || error instanceof TrustwrightError || isOfDisk(error)) throw error
    }
  }
}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/**
 * Writes to a temporary file, which then gets its name. Only its owner can read it, because results are credentials or links. The file is
 * always a new one: an old one can have other permissions, or be a symbolic link.
 */
async function writeWhole(file: string, content: AsyncIterable<string | Buffer>): Promise<void> {
  const temporary = `${file}.part`
  await rm(temporary, { force: true })
  const opened = await open(temporary, 'wx', 0o600)
  try {
    await pipeline(content, opened.createWriteStream())
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
