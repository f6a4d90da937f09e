import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { isStreamed, type ResponsePayload } from './media.ts'

/** Compresses a payload on a thread of zlib. The length of a compressed stream is unknown. */
export async function compress(payload: ResponsePayload): Promise<ResponsePayload> {
  if (!isStreamed(payload)) return compressBytes(payload)
  // The reader of the result receives the errors of both streams.
  return { stream: pipeline(payload.stream, createGzip(), () => {}) }
}

export const compressBytes: (bytes: string | Uint8Array) => Promise<Buffer> = promisify<string | Uint8Array, Buffer>(
  gzip,
)
