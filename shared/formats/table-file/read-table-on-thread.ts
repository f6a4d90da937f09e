import { on } from 'node:events'
import { startThread, ThreadExit } from '../../threads/run-input.ts'
import { lastRowOf, TableError, type TableOptions, type TablePortion } from './table.ts'
import type { FromThread, ToThread } from './thread-messages.ts'

const file = new URL('./table-thread.ts', import.meta.url)
/** Node.js ends a thread that needs more. A portion and a row are much smaller. */
const heapLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }
/** A larger chunk is copied to the thread in parts. */
const maxCopyBytes = 262_144

/** A portion without rows is returned after this much of the source without a portion. The content of gzip can be empty. */
const maxBytesWithoutPortion = 1_000_000

/**
 * Does the same as `readTable` on a thread of its own, so that other work of this process does not wait. The thread reads one portion ahead
 * of the caller, and no further. It ends with the loop of the caller. The caller limits how many run at once.
 */
export async function* readTableOnThread(
  source: AsyncIterable<Uint8Array>,
  options: TableOptions,
): AsyncGenerator<TablePortion, void> {
  const { worker, ready } = startThread(file, heapLimits)
  const chunks = copyInParts(source)
  const send = (message: ToThread, transferred: ArrayBuffer[] = []) => worker.postMessage(message, transferred)
  // `startThread` starts a thread that does not keep the process alive. The caller waits for this one.
  worker.ref()
  let bytesSent = 0
  let readTo = 0
  try {
    await ready
    const messages = on(worker, 'message', { close: ['exit'] })
    send({ kind: 'start', options })
    send({ kind: 'next' })
    for await (const [message] of messages as AsyncIterable<[FromThread]>) {
      if (message.kind === 'done') return
      if (message.kind === 'refused') throw new TableError(message.code, message.message, message.row)
      if (message.kind === 'portion') send({ kind: 'next' })
      const portion = portionOf(message, bytesSent > maxBytesWithoutPortion ? readTo : undefined)
      if (portion) {
        bytesSent = 0
        readTo = lastRowOf(portion)
        // A caller that waits with the next portion does not keep the process alive.
        worker.unref()
        yield portion
        worker.ref()
      }
      if (message.kind === 'portion') continue
      const { value } = await chunks.next()
      bytesSent += value?.length ?? 0
      if (value) send({ kind: 'chunk', bytes: value }, [value.buffer])
      else send({ kind: 'chunk' })
    }
    throw new ThreadExit()
  } finally {
    await worker.terminate()
    await chunks.return(undefined)
  }
}

/** Returns copies that can be moved to the thread. The source can reuse its buffers. */
async function* copyInParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += maxCopyBytes) yield new Uint8Array(chunk.subarray(at, at + maxCopyBytes))
  }
}

/** Returns the portion of a message. With `readTo`, a message without a portion is one without rows. */
function portionOf(message: FromThread, readTo: number | undefined): TablePortion | undefined {
  if (message.kind !== 'portion') return readTo === undefined ? undefined : { columns: [], rows: [], readTo }
  // Boundary: the thread of this file wrote the text.
  const portion = JSON.parse(message.json) as TablePortion
  for (const row of portion.rows) row.values = Object.assign(Object.create(null), row.values)
  return portion
}
