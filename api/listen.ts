import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../shared/dependency.ts'

/** The open port of the API. */
export interface Listener {
  /**
   * Takes no new connection, closes those that have nothing under way, and waits until all have ended; after `withinMs`
   * what is left is cut, such as a request of which the rest never comes.
   */
  close(withinMs: number): Promise<void>
}

const lookEveryMs = 50

/** Listens on `port` of `host`, or of all addresses of the machine. Throws Misconfigured where that cannot be. */
export async function listen(handle: RequestListener, place: { host?: string; port: number }): Promise<Listener> {
  const server = createServer(handle)
  // A proxy in front keeps its connections for a minute; ours must not be the first to go.
  server.keepAliveTimeout = 65_000
  server.requestTimeout = 30_000
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await opened(server, place)
  return {
    async close(withinMs) {
      const endsAt = performance.now() + withinMs
      let isClosed = false
      server.close(() => {
        isClosed = true
      })
      while (!isClosed) {
        server.closeIdleConnections()
        // Browsers open connections ahead of need; Node counts one that never said anything as a request under way.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
        if (performance.now() > endsAt) server.closeAllConnections()
        await sleep(lookEveryMs)
      }
    },
  }
}

async function opened(server: Server, place: { host?: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) =>
    reject(new Misconfigured(`${place.host ?? ''}:${place.port} (HOST, PORT) cannot be listened on: ${error.message}`)),
  )
  server.listen(place, resolve)
  await promise
}
