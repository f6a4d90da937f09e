import type { IncomingMessage } from 'node:http'

/** Requests whose body may arrive slowly. */
const slow = new WeakSet<IncomingMessage>()

/** Lets the body of an upload arrive for as long as the client sends. Call it after authentication. */
export function allowSlowBody(request: IncomingMessage): void {
  slow.add(request)
}

const limits = { limitMs: 30_000, checkEveryMs: 1_000 }

/**
 * Returns a function that closes the connection of a request whose body has not arrived within the limit. The body of an upload can take
 * longer: its connection is closed when no byte has arrived for that time.
 */
export function createBodyWatch({ limitMs, checkEveryMs } = limits): (request: IncomingMessage) => void {
  const watched = new Map<IncomingMessage, { since: number; bytes: number }>()
  const check = () => {
    const now = performance.now()
    for (const [request, state] of watched) {
      const { bytesRead } = request.socket
      if (slow.has(request) && bytesRead > state.bytes) Object.assign(state, { since: now, bytes: bytesRead })
      if (request.complete) watched.delete(request)
      else if (now - state.since > limitMs) request.socket.destroy()
    }
  }
  setInterval(check, checkEveryMs).unref()
  return (request) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (length === '0' && encoding === undefined) return
    watched.set(request, { since: performance.now(), bytes: request.socket.bytesRead })
    request.once('close', () => watched.delete(request))
  }
}
