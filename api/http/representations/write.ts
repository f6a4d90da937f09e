import type { Context } from 'koa'
import type { Answer } from './answer.ts'
import { isStreamed } from './media.ts'
import type { PreparedResponse } from './prepare-response.ts'
import type { Representations } from './representations.ts'

/** Sets `Cache-Control` of a success. Without `maxAgeSeconds` it stays `no-store`. */
export function writeCaching(ctx: Context, { maxAgeSeconds }: Representations, answer: Answer): void {
  const seconds = maxAgeSeconds === 'answered' ? answer.maxAgeSeconds : maxAgeSeconds
  if (seconds !== undefined) ctx.res.setHeader('Cache-Control', cachingOf(seconds))
}

/** With 0, caches revalidate each time (RFC 9111, section 5.2.2.4). With `forever`, they never do (RFC 8246). */
export function cachingOf(maxAgeSeconds: number | 'forever'): string {
  if (maxAgeSeconds === 'forever') return 'public, max-age=31536000, immutable'
  return maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${maxAgeSeconds}`
}

/** Writes data as JSON, or an empty body without data. */
export function writeData(ctx: Context, data: unknown, status: number): void {
  ctx.body = data ?? null
  ctx.status = status
  // Koa would send a string as text.
  if (typeof data !== 'string') return
  ctx.body = JSON.stringify(data)
  ctx.type = 'application/json'
}

/** Writes a payload. A 304 has no body and no headers of a body (RFC 9110, section 15.4.5). */
export function writePayload(
  ctx: Context,
  { payload, headers, status }: PreparedResponse & { status: number },
  { type, fileName }: { type: string; fileName: string | undefined },
): void {
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '')
  ctx.status = status
  if (payload === undefined) return
  ctx.type = type
  if (fileName !== undefined) ctx.attachment(fileName, { fallback: asciiOf(fileName) })
  ctx.body = isStreamed(payload) ? payload.stream : typeof payload === 'string' ? payload : bufferOf(payload)
  if (isStreamed(payload) && payload.lengthBytes !== undefined) ctx.length = payload.lengthBytes
}

/** Returns a name for clients without `filename*` (RFC 6266, appendix D). */
function asciiOf(fileName: string): string {
  return fileName.replaceAll(/[^\x20-\x7e]/gu, '_')
}

/** Makes a Buffer with the same memory, because Koa serializes other typed arrays as JSON. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
