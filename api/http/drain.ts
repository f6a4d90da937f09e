import type { IncomingMessage } from 'node:http'
import { Stream } from 'node:stream'
import type { Context, Middleware } from 'koa'

/** Limits how much is read of a request that has its answer already. */
export interface DrainLimits {
  bytes: number
  /** The maximum time without data from the client. */
  idleMs: number
  totalMs: number
}

/** `bytes` is more than the largest body limit of a route. */
const defaultLimits: DrainLimits = { bytes: 16_000_000, idleMs: 2_000, totalMs: 30_000 }

/**
 * If an answer is ready before the request has ended, sends the answer and then discards the rest of the request before the
 * connection can close. Closing a connection on which the client still sends resets it, and the client can lose the answer
 * (RFC 9112, section 9.6). Closes the connection of a client that exceeds the limits.
 */
export function drainRequests(limits: DrainLimits = defaultLimits): Middleware {
  return async (ctx, next) => {
    await next()
    const { req } = ctx
    if (req.complete || req.destroyed) return
    if (Number(req.headers['content-length']) > limits.bytes) ctx.set('Connection', 'close')
    const end = writeWithoutEnd(ctx)
    void drain(req, limits).then(() => {
      end()
      if (!req.complete) req.destroy()
    })
  }
}

/**
 * Writes the whole answer. Returns a function that ends it, after which Node closes the connection. Koa writes answers without a
 * body and streams.
 */
function writeWithoutEnd(ctx: Context): () => void {
  const { res, body } = ctx
  if (ctx.respond === false || body === null || body === undefined || body instanceof Stream) return () => {}
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  ctx.respond = false
  ctx.length = bytes.length
  if (bytes.length === 0) res.flushHeaders()
  else res.write(bytes)
  return () => void res.end()
}

/** Resolves when the request has ended, or a limit is reached. */
function drain(request: IncomingMessage, { bytes, idleMs, totalMs }: DrainLimits): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const endsAt = performance.now() + totalMs
  let leftBytes = bytes
  let isIdle = false
  // If the process was blocked, first reads the data that the client sent during this time.
  const idle = setTimeout(() => {
    isIdle = true
    setImmediate(() => isIdle && resolve())
  }, idleMs)
  request.on('data', (chunk: Buffer) => {
    isIdle = false
    leftBytes -= chunk.length
    if (leftBytes < 0 || performance.now() > endsAt) resolve()
    else idle.refresh()
  })
  request.once('end', resolve).once('close', resolve).resume()
  return promise.finally(() => clearTimeout(idle))
}
