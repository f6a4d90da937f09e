import { randomUUID } from 'node:crypto'
import { createReadStream, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { type ApiClient, dataOf } from '../../../../shared/client/client.ts'
import { type CommandCall, UsageError } from '../command.ts'
import { durationOf, type ProgressReport } from './report.ts'

const path = '/v1/bulk-issuances'

export interface UploadOptions {
  file: string
  format: 'csv' | 'jsonl' | undefined
  fields: readonly (readonly [name: string, value: string])[]
}

/** Returns the size and the last change of a file. Throws a `UsageError` if it cannot be read. */
export function statOf(file: string): Stats {
  try {
    const stat = statSync(file)
    if (stat.isFile()) return stat
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
  throw new UsageError(`${file} is not a file`)
}

/**
 * Uploads a file as a stream, so that its size does not matter, and returns the id of the bulk issuance. If the answer is lost, the client
 * repeats the upload with the same `Idempotency-Key`.
 */
export async function uploadFile(
  call: CommandCall,
  upload: UploadOptions,
  { report, signal }: { report: ProgressReport; signal: AbortSignal },
): Promise<string> {
  const boundary = randomUUID()
  // An upload whose file cannot be read is not repeated.
  const reading = new AbortController()
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  // The client reads a body into memory. So it gets a mark, and this `fetch` sends the form instead, also when the request is repeated.
  const send: typeof fetch = (url, init) => {
    if (!init || !String(url).endsWith(path)) return fetch(url, init)
    const body = streamOf(formOf(upload, boundary, report), (error) => reading.abort(error))
    // Node.js copies a body into memory for a redirect, unless redirects are errors and there is no window (Fetch, HTTP-network-or-cache).
    const streamed = { ...init, body, duplex: 'half', redirect: 'error', window: null }
    // Boundary: the types do not know `duplex`, which a stream needs.
    return fetch(url, streamed as unknown as RequestInit)
  }
  const client: ApiClient = await call.client({}, send)
  const either = AbortSignal.any([signal, reading.signal])
  const form = { body: {} as never, bodySerializer: () => 'form', headers, signal: either }
  return (await dataOf(client.POST(path, form))).id
}

/** Reads the next part only when the connection has sent those before. Calls `failed` if a part cannot be read. */
function streamOf(parts: AsyncGenerator<Buffer>, failed: (error: unknown) => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await parts.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          failed(error)
          throw error
        }
      },
      cancel: () => void parts.return(undefined),
    },
    { highWaterMark: 0 },
  )
}

async function* formOf(
  { file, format, fields }: UploadOptions,
  boundary: string,
  report: ProgressReport,
): AsyncGenerator<Buffer> {
  const named = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  for (const [name, value] of fields) yield Buffer.from(`${named(name)}\r\n\r\n${value}\r\n`)
  yield Buffer.from(`${named('file')}; filename="${escaped(sentName(file, format))}"\r\n\r\n`)
  const { size } = statOf(file)
  const startedAt = Date.now()
  let sent = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    yield chunk
    sent += chunk.length
    const perSecond = sent / Math.max(0.001, (Date.now() - startedAt) / 1000)
    const left = durationOf(Math.max(0, size - sent) / perSecond)
    report.show(
      `Uploading: ${megabytes(sent)} of ${megabytes(size)} MB, ${megabytes(perSecond)} MB/s, ${left} left`,
      sent / size,
    )
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

/** HTML, "multipart/form-data encoding algorithm". */
function escaped(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}

/** The service finds the format by the name: `.jsonl` and `.ndjson` are JSON Lines, also before `.gz`. All other names are CSV. */
function sentName(file: string, format: UploadOptions['format']): string {
  const name = basename(file)
  const [, start = name, zipped = ''] = /^(.*?)(\.gz)?$/is.exec(name) ?? []
  const isJson = /\.(jsonl|ndjson)$/i.test(start)
  return format === undefined || isJson === (format === 'jsonl') ? name : `${start}.${format}${zipped}`
}
