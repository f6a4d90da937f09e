import { parentPort } from 'node:worker_threads'
import { listChanges } from '../../../shared/formats/trusted-lists/list-changes.ts'

/** Two lists, as they were signed. */
export interface ListsToCompare {
  before: Uint8Array
  after: Uint8Array
}

/** A thread that compares one pair of lists after the other, and writes what has changed in JSON. */
parentPort?.on('message', ({ before, after }: ListsToCompare) => {
  const changes = listChanges(bufferOf(before), bufferOf(after))
  parentPort?.postMessage(new TextEncoder().encode(JSON.stringify(changes)))
})

/** What is sent to a thread arrives as plain arrays. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
