import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A proxy in front of a server. It delays each answer by the set time, and can lose connections. */
export interface SlowProxy {
  /** The address of the server through the proxy. */
  url: string
  delayMs: number
  /** The number of answers so far, in the pieces in which they arrived. */
  readonly answers: number
  /** The server of new connections. Open connections stay at their server, as when an address moves to another machine. */
  serverUrl: string
  /** Forwards nothing more on the open connections and does not close them, as when a network loses them. New connections work. */
  loseConnections(): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSlowProxy(serverUrl: string): Promise<SlowProxy> {
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  let answers = 0
  const server = createServer((client) => {
    const { hostname, port } = new URL(proxy.serverUrl)
    const upstream = connect(Number(port || 5432), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy()
          upstream.destroy()
        })
    }
    client.on('data', (chunk) => {
      if (!lost.has(client)) upstream.write(chunk)
    })
    let earlier = Promise.resolve()
    upstream.on('data', (chunk) => {
      if (lost.has(upstream)) return
      const due = sleep(proxy.delayMs)
      earlier = earlier
        .then(() => due)
        .then(() => {
          answers++
          client.write(chunk)
        })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  const proxy: SlowProxy = {
    url: url.href,
    delayMs: 0,
    get answers() {
      return answers
    },
    serverUrl,
    loseConnections() {
      for (const socket of sockets) lost.add(socket)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
