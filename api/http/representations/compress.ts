import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { isStreamed, type ResponsePayload } from './media.ts'

/** On a thread of its own: the event loop goes on. Of a stream it is not known how long it becomes. */
export async function compress(payload: ResponsePayload): Promise<ResponsePayload> {
  if (!isStreamed(payload)) return compressBytes(payload)
  // Whoever reads it meets the error of either of them.
  return { stream: pipeline(payload.stream, createGzip(), () => {}) }
}

export const compressBytes: (bytes: string | Uint8Array) => Promise<Buffer> = promisify<string | Uint8Array, Buffer>(
  gzip,
)
