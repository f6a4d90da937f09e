import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ApiClient, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { tableMedia } from '../../../../shared/formats/table-file/write-table.ts'
import { UsageError } from '../command.ts'
import { readStreamedBody } from '../read-streamed-body.ts'
import { textOfError } from '../text-of-error.ts'
import { newPart, type PartFile } from './part-file.ts'
import { createReceivedRows } from './received-rows.ts'
import { terminalText } from './terminal-text.ts'

/** `.jsonl` and `.ndjson` are JSON Lines. All other names are CSV. */
export function formatOfResults(file: string): 'csv' | 'jsonl' {
  return /\.(jsonl|ndjson)$/i.test(file) ? 'jsonl' : 'csv'
}

export async function readResults(
  client: ApiClient,
  id: string,
  { format, state }: { format: 'csv' | 'jsonl'; state?: LinkState | undefined },
): Promise<Content> {
  return (await request(client, id, { headers: { Accept: tableMedia[format].type }, state })).content
}

type Content = AsyncIterable<Buffer>

/** Results are never overwritten: those of a later download can be without transaction codes. */
export function refuseExisting(out: string): void {
  if (existsSync(out)) throw new UsageError(`${out} exists. Choose another --out, or move the file away`)
  if (!existsSync(dirname(out))) throw new UsageError(`The folder ${dirname(out)} of --out does not exist`)
}

interface Saving {
  signal: AbortSignal
  stderr: Pick<NodeJS.WriteStream, 'write'>
}

/** Attempts without new rows. */
const maxAttempts = 3

/**
 * Downloads the results to a file, and confirms them, so that later downloads have no transaction codes. An incomplete download leaves no
 * such file. One that is cut off continues after its last whole row if the service says with a strong ETag that the results are still the
 * same, and otherwise begins again.
 */
export async function saveResults(
  client: ApiClient,
  id: string,
  file: string,
  { signal, stderr }: Saving,
): Promise<void> {
  refuseExisting(file)
  const part = await newPart(file)
  let isKept = false
  try {
    await download(part, { client, id, format: formatOfResults(file), signal })
    await part.close()
    // Another program can have made it during the download.
    isKept = existsSync(file)
    if (isKept) throw new UsageError(`${file} exists. The results are in ${part.path}`)
    await rename(part.path, file)
  } catch (error) {
    if (!isKept) await part.remove()
    throw error
  }
  const problem = await confirm(client, id)
  if (problem === undefined) return
  const what = 'The results are saved, but not confirmed at the service. It removes transaction codes after an hour'
  stderr.write(`${what}: ${problem}\n`)
}

/** Confirms saved results. Returns why this failed, because it does not fail the command. */
async function confirm(client: ApiClient, id: string): Promise<string | undefined> {
  try {
    const confirmed = client.POST('/v1/bulk-issuances/{id}/results/received', { params: { path: { id } } })
    await dataOf(confirmed)
    return undefined
  } catch (error) {
    // Results that are incomplete or never have codes.
    if (error instanceof TrustwrightError && error.status === 409) return undefined
    return terminalText(textOfError(error))
  }
}

interface Download {
  client: ApiClient
  id: string
  format: 'csv' | 'jsonl'
  signal: AbortSignal
}

async function download(part: PartFile, { client, id, format, signal }: Download): Promise<void> {
  let rows = createReceivedRows(format)
  let tag: string | undefined
  for (let attempt = 1; ; attempt++) {
    const { row: afterRow } = rows
    // A decoder would hold bytes back, which a lost connection then loses.
    const headers = { Accept: tableMedia[format].type, 'Accept-Encoding': 'identity' }
    try {
      const { response, content } = await request(client, id, { headers, afterRow, signal })
      const isContinued = afterRow > 0 && strongTagOf(response) === tag
      tag = strongTagOf(response)
      if (isContinued || afterRow === 0) return await part.append(rows.follow(content))
      await response.body?.cancel()
      tag = undefined
    } catch (error) {
      if (signal.aborted || error instanceof UsageError || error instanceof TrustwrightError) throw error
      if (tag !== undefined && rows.row > afterRow) attempt = 0
      else if (attempt === maxAttempts) throw error
    }
    if (tag === undefined) rows = createReceivedRows(format)
    await part.truncate(rows.sizeBytes)
  }
}

type LinkState = 'open' | 'opened' | 'collected' | 'expired' | 'revoked'

interface ResultRequest {
  state?: LinkState | undefined
  headers: Record<string, string>
  afterRow?: number
  signal?: AbortSignal
}

async function request(
  client: ApiClient,
  id: string,
  { headers, state, afterRow = 0, signal }: ResultRequest,
): Promise<{ response: Response; content: Content }> {
  const params = { path: { id }, query: { ...(afterRow > 0 && { afterRow }), ...(state && { state }) } }
  const init = { params, parseAs: 'stream', headers, ...(signal && { signal }) } as const
  const answer = await client.GET('/v1/bulk-issuances/{id}/results', init)
  // Boundary: `parseAs` makes the data a stream. It is undefined if `Content-Length` is 0.
  const data = (await dataOf(Promise.resolve(answer))) as unknown as ReadableStream<Uint8Array> | undefined
  return { response: answer.response, content: readStreamedBody(data) }
}

function strongTagOf({ headers }: Response): string | undefined {
  const tag = headers.get('ETag')
  return tag?.startsWith('"') ? tag : undefined
}
