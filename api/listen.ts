import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../shared/dependency.ts'

/** The open port of the API. */
export interface Listener {
  /**
   * Accepts connections until none has come for a while, and then no more. Closes those that have no request under way, and waits
   * until all have ended. After `withinMs` it cuts what is left, such as a request whose rest never comes.
   */
  close(withinMs: number): Promise<void>
}

/** How long a connection may be silent before it is closed while the process stops. */
const silentMs = 500
const checkEveryMs = 50

/** Listens on `port` of `host`, or of all addresses of the machine. Throws Misconfigured where that cannot be. */
export async function listen(handle: RequestListener, place: { host?: string; port: number }): Promise<Listener> {
  /** Requests that wait for the port to close. */
  let held: (() => void)[] | undefined
  const server = createServer((request, response) => {
    if (held) held.push(() => handle(request, response))
    else handle(request, response)
  })
  // A proxy in front keeps its connections for a minute; ours must not be the first to go.
  server.keepAliveTimeout = 65_000
  server.requestTimeout = 30_000
  /** With the time of their arrival. */
  const sockets = new Map<Socket, number>()
  server.on('connection', (socket) => {
    sockets.set(socket, performance.now())
    socket.once('close', () => sockets.delete(socket))
  })
  await opened(server, place)
  return {
    async close(withinMs) {
      const endsAt = performance.now() + withinMs
      await untilQuiet(server)
      held = []
      await untilNoneWaits(server)
      let isClosed = false
      server.close(() => {
        isClosed = true
      })
      for (const run of held.splice(0)) run()
      held = undefined
      while (!isClosed) {
        const now = performance.now()
        server.closeIdleConnections()
        // Browsers open connections ahead of need. Node counts one that never sent a byte as a request under way.
        for (const [socket, at] of sockets) if (socket.bytesRead === 0 && now > at + silentMs) socket.destroy()
        if (now > endsAt) server.closeAllConnections()
        await sleep(checkEveryMs)
      }
    },
  }
}

const quietMs = 100
const longestMs = 1_000

/** Resolves when no connection has come for `quietMs`, and after `longestMs` at the latest. */
async function untilQuiet(server: Server): Promise<void> {
  const endsAt = performance.now() + longestMs
  let quietAt = performance.now() + quietMs
  const wait = () => {
    quietAt = performance.now() + quietMs
  }
  server.on('connection', wait)
  for (let now = performance.now(); now < Math.min(quietAt, endsAt); now = performance.now())
    await sleep(Math.min(quietAt, endsAt) - now)
  server.off('connection', wait)
}

const shortTurnMs = 0.2
const mostTurns = 1_000

/**
 * Resolves right after a poll of the event loop that found no connection to accept. At its close a port resets the connections that
 * the kernel has accepted and this process has not. Node accepts one in each turn of the event loop; a short turn leaves next to no
 * time for another one between the poll and the close.
 */
async function untilNoneWaits(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted++
  }
  server.on('connection', count)
  for (let turn = 0; turn < mostTurns; turn++) {
    const [before, beganAt] = [accepted, performance.now()]
    await setImmediate()
    if (accepted === before && performance.now() < beganAt + shortTurnMs) break
  }
  server.off('connection', count)
}

async function opened(server: Server, place: { host?: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) =>
    reject(new Misconfigured(`${place.host ?? ''}:${place.port} (HOST, PORT) cannot be listened on: ${error.message}`)),
  )
  server.listen(place, resolve)
  await promise
}
