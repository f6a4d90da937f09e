import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { joinChunks } from './join-chunks.ts'
import { TableError } from './table.ts'

/** Returns the bytes of a file. Decompresses gzip, which is found by its first bytes. Throws `too_large` after `maxBytes`. */
export async function* decompress(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const chunks = joinChunks(source, gzipStart.length)
  try {
    const first = await chunks.next()
    if (first.done) return
    const isGzip = gzipStart.every((byte, at) => first.value[at] === byte)
    const whole = startWith(first.value, chunks)
    yield* limitBytes(isGzip ? gunzip(whole) : whole, maxBytes, isGzip)
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

async function* gunzip(compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGunzip()
  // The loop below throws the error of the source or of the decompression.
  pipeline(compressed, stream).catch(() => {})
  try {
    yield* stream
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw new TableError('invalid_gzip', 'The gzip file is damaged or incomplete. Compress the file again.')
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  isGzip: boolean,
): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    if (count > maxBytes) {
      const limit = `${maxBytes.toLocaleString('en')} bytes${isGzip ? ' after decompression' : ''}`
      throw new TableError('too_large', `The file is larger than ${limit}. Split it into several files.`)
    }
    yield chunk
  }
}
