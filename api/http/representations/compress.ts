import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** On a thread of its own: the event loop goes on. */
export const compress: (bytes: string | Uint8Array) => Promise<Buffer> = promisify<string | Uint8Array, Buffer>(gzip)
