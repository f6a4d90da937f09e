import { setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { readTable } from './read-table.ts'
import { TableError, type TableOptions } from './table.ts'
import type { FromThread, ToThread } from './thread-messages.ts'

/** The priority on Linux is that of this thread only. The requests of people do not wait for a file. */
const lowPriority = 10
if (process.platform === 'linux') setPriority(lowPriority)

/** Reads one table for `readTableOnThread`. Sends a portion for each `next`. */
function serve(port: MessagePort): void {
  const send = (message: FromThread) => port.postMessage(message)
  let resolveChunk: (bytes: Uint8Array | undefined) => void = () => {}
  let next = Promise.withResolvers<void>()

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = new Promise<Uint8Array | undefined>((resolve) => {
        resolveChunk = resolve
      })
      send({ kind: 'more' })
      const bytes = await chunk
      if (!bytes) return
      yield bytes
    }
  }

  async function read(options: TableOptions): Promise<void> {
    try {
      for await (const portion of readTable(chunks(), options)) {
        await next.promise
        next = Promise.withResolvers()
        send({ kind: 'portion', json: JSON.stringify(portion) })
      }
      send({ kind: 'done' })
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      const { code, message, row } = error
      send({ kind: 'refused', code, message, ...(row !== undefined && { row }) })
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.kind === 'chunk') resolveChunk(message.bytes)
    else if (message.kind === 'next') next.resolve()
    else void read(message.options)
  })
  port.postMessage('ready')
}

if (parentPort) serve(parentPort)
