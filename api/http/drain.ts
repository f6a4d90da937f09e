import type { IncomingMessage } from 'node:http'
import { Stream } from 'node:stream'
import type { Context, Middleware } from 'koa'

/** How much is read of a request whose answer is already known. */
export interface DrainLimits {
  bytes: number
  /** How long the client may send nothing. */
  idleMs: number
  totalMs: number
}

/** `bytes` is more than the largest body that a route takes. */
const defaultLimits: DrainLimits = { bytes: 16_000_000, idleMs: 2_000, totalMs: 30_000 }

/**
 * Where an answer comes before the end of its request, sends the answer and then discards the rest of the request before the
 * connection can close. Closing a connection on which the client still sends resets it, and the client may lose the answer
 * (RFC 9112, section 9.6). A client that sends more than the limits allow is cut.
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
 * Writes the whole answer and returns what ends it: at the end Node closes the connection. Answers without a body and streams are
 * left to Koa.
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
  // Where the process itself stood still, what the client sent meanwhile is read before the check.
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
