import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../shared/process/dependency.ts'
import { createBodyWatch } from './http/slow-bodies.ts'

/** The open port of the API. */
export interface Listener {
  /**
   * Accepts connections until none has arrived for `quietMs`, then stops accepting. Closes idle connections and waits until the
   * others have ended. After `withinMs` it closes all remaining connections, such as one whose request never completes. Returns
   * whether there were any.
   */
  close(withinMs: number): Promise<{ isCutOff: boolean }>
}

/** While the process stops, a connection that sent no byte for this long is closed. */
const silentMs = 500
const checkEveryMs = 50

/** Listens on `port` of `host`, or of all addresses of the machine. Throws Misconfigured if it cannot listen. */
export async function listen(handle: RequestListener, address: { host?: string; port: number }): Promise<Listener> {
  /** Requests that wait for the port to close. */
  let held: (() => void)[] | undefined
  const watchBody = createBodyWatch()
  const server = createServer((request, response) => {
    watchBody(request)
    if (held) held.push(() => handle(request, response))
    else handle(request, response)
  })
  // A proxy keeps idle connections open for 60 seconds. The server must not close them first.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 30_000
  // An upload takes as long as its client sends. `watchBody` limits bodies.
  server.requestTimeout = 0
  /** Open connections with the time at which they arrived. */
  const sockets = new Map<Socket, number>()
  server.on('connection', (socket) => {
    sockets.set(socket, performance.now())
    socket.once('close', () => sockets.delete(socket))
  })
  await openPort(server, address)
  return {
    async close(withinMs) {
      const endsAt = performance.now() + withinMs
      await waitUntilQuiet(server)
      held = []
      await waitUntilBacklogEmpty(server)
      let isClosed = false
      let isCutOff = false
      server.close(() => {
        isClosed = true
      })
      for (const run of held.splice(0)) run()
      held = undefined
      while (!isClosed) {
        const now = performance.now()
        server.closeIdleConnections()
        // Browsers open connections in advance. Node counts a connection that never sent a byte as an active request.
        for (const [socket, at] of sockets) if (socket.bytesRead === 0 && now > at + silentMs) socket.destroy()
        if (now > endsAt) {
          isCutOff = true
          server.closeAllConnections()
        }
        await sleep(checkEveryMs)
      }
      return { isCutOff }
    },
  }
}

const quietMs = 100
const maxQuietWaitMs = 1_000

/** Resolves when no connection has arrived for `quietMs`, and after `maxQuietWaitMs` at the latest. */
async function waitUntilQuiet(server: Server): Promise<void> {
  const endsAt = performance.now() + maxQuietWaitMs
  let quietAt = performance.now() + quietMs
  const wait = () => {
    quietAt = performance.now() + quietMs
  }
  server.on('connection', wait)
  for (let now = performance.now(); now < Math.min(quietAt, endsAt); now = performance.now())
    await sleep(Math.min(quietAt, endsAt) - now)
  server.off('connection', wait)
}

const shortTickMs = 0.2
const maxTicks = 1_000

/**
 * Resolves right after a poll of the event loop that found no connection to accept. When a port closes, it resets the connections
 * that the kernel has accepted and this process has not. Node accepts one connection per tick of the event loop. A short tick
 * leaves almost no time for another connection between the poll and the close.
 */
async function waitUntilBacklogEmpty(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted++
  }
  server.on('connection', count)
  for (let tick = 0; tick < maxTicks; tick++) {
    const [before, beganAt] = [accepted, performance.now()]
    await setImmediate()
    if (accepted === before && performance.now() < beganAt + shortTickMs) break
  }
  server.off('connection', count)
}

async function openPort(server: Server, address: { host?: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) =>
    reject(new Misconfigured(`Cannot listen on ${address.host ?? ''}:${address.port} (HOST, PORT): ${error.message}`)),
  )
  server.listen(address, resolve)
  await promise
}
