import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { joinChunks } from './join-chunks.ts'
import { TableError } from './table.ts'

/** Gzip of real tables is at most about 30 times smaller. Gzip of one repeated byte is about 1,000 times smaller. */
const maxRatio = 200
/** The ratio counts after this size, so that a small file can have any content. */
const minRatioBytes = 10_000_000

/**
 * Returns the bytes of a file. Decompresses gzip, which is found by its first bytes. Throws `too_large` after `maxBytes`, and for gzip that is
 * more than 200 times smaller than its content.
 */
export async function* decompress(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const chunks = joinChunks(source, gzipStart.length)
  try {
    const first = await chunks.next()
    if (first.done) return
    const isGzip = gzipStart.every((byte, at) => first.value[at] === byte)
    const whole = startWith(first.value, chunks)
    yield* isGzip ? gunzip(whole, maxBytes) : limitBytes(whole, maxBytes)
  } finally {
    await chunks.return(undefined)
  }
}

// RFC 1952, section 2.3.1: ID1, ID2 and CM.
const gzipStart = [0x1f, 0x8b, 0x08]

async function* startWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

async function* gunzip(compressed: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const stream = createGunzip()
  // The loop below throws the error of the source or of the decompression.
  pipeline(compressed, stream).catch(() => {})
  let count = 0
  try {
    for await (const chunk of limitBytes(stream, maxBytes, ' after decompression')) {
      count += chunk.length
      if (count > minRatioBytes && count > maxRatio * stream.bytesWritten) throw tooDense()
      yield chunk
    }
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw new TableError('invalid_gzip', 'The gzip file is damaged or incomplete. Compress the file again.')
  }
}

function tooDense(): TableError {
  const message = `The content of the gzip file is more than ${maxRatio} times larger than the file.`
  return new TableError('too_large', `${message} Remove blank rows, or send the file without compression.`)
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  suffix = '',
): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    if (count > maxBytes) {
      const limit = `${maxBytes.toLocaleString('en')} bytes${suffix}`
      throw new TableError('too_large', `The file is larger than ${limit}. Split it into several files.`)
    }
    yield chunk
  }
}
