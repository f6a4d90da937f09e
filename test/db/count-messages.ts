import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { type Database, openDatabase } from '../../db/client.ts'

export interface Messages {
  db: Database
  count(): number
  loseNextAnswer(): void
  close(): Promise<void>
}

/** A database behind a socket that counts what is sent to the server: each message waits for its answer here. */
export async function countMessages(url: string): Promise<Messages> {
  let sent = 0
  let losesNext = false
  const target = new URL(url)
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    socket.on('data', () => sent++)
    socket.pipe(upstream)
    upstream.on('data', (answer) => {
      if (!losesNext) return socket.write(answer)
      losesNext = false
      return socket.destroy()
    })
    for (const each of [socket, upstream]) each.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String(typeof address === 'object' && address ? address.port : 0)
  const db = openDatabase(own.href, { survives: 'crash' })
  return {
    db,
    count: () => sent,
    loseNextAnswer() {
      losesNext = true
    },
    async close() {
      await db.close()
      server.close()
    },
  }
}
