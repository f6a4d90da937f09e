import { mkdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { AnswerRequest } from '../../shared/jobs/local-channel.ts'
import {
  findSocketPaths,
  newSocketPath,
  requireSafeFolder,
  type SocketFolder,
} from '../../shared/jobs/sockets/socket-folder.ts'
import type { Log } from '../../shared/log/log.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import type { Macs } from '../../shared/secrets/secrets.ts'
import { type CallerConnection, serveCaller } from './caller-connection.ts'

export interface SigningSocketOptions {
  folder: SocketFolder
  secrets: Macs
  log: Log
  answer: AnswerRequest
}

export interface SigningSocket {
  /** Takes no further connections, and tells the connected processes to send no further requests. */
  close(): void
  /** Closes the connections, after the answers that were written. */
  disconnect(): void
}

/** Maximum connections: of the processes of one machine. */
const maxCallers = 64

/**
 * Listens for the direct requests of other processes of the machine (shared/jobs/sockets). Removes the sockets of killed processes. Rejects if the
 * folder is not safe, or the socket cannot be made. Then requests come over the queues.
 */
export async function listenOnSocket({ folder, secrets, log, answer }: SigningSocketOptions): Promise<SigningSocket> {
  await mkdir(folder.path, { recursive: true, mode: 0o700 })
  await requireSafeFolder(folder.path)
  await removeUnused(folder)
  const callers = new Set<CallerConnection>()
  const logRefused = createThrottledLog((fields) => log.warn(fields, 'signing socket connection refused'))
  const server = createServer((socket) => {
    const refuse = (err: Error) => logRefused('refused', { err })
    const caller = serveCaller(socket, { secrets, answer, refuse })
    callers.add(caller)
    socket.once('close', () => callers.delete(caller))
  })
  server.maxConnections = maxCallers
  await listenAt(server, newSocketPath(folder))
  return {
    close() {
      server.close() // removes the file
      for (const caller of callers) caller.announceEnd()
    },
    disconnect() {
      for (const caller of callers) caller.end()
    },
  }
}

async function listenAt(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(path, resolve)
  await promise
}

/** Removes the sockets on which no process listens. */
async function removeUnused(folder: SocketFolder): Promise<void> {
  for (const path of await findSocketPaths(folder))
    if (!(await isListening(path))) await unlink(path).catch(() => undefined) // another process removed it
}

function isListening(path: string): Promise<boolean> {
  const socket: Socket = connect(path)
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
  }).finally(() => socket.destroy())
}
