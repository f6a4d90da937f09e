import { parentPort } from 'node:worker_threads'
import { listChanges, shownCertificates } from '../../../shared/formats/trusted-lists/list-changes.ts'

/** A list, as it was signed, and an earlier one that it is compared with. */
export interface ListToRead {
  list: Uint8Array
  before?: Uint8Array
}

/** A thread that reads one list after the other, and writes what it has, or what has changed, in JSON. */
parentPort?.on('message', ({ list, before }: ListToRead) => {
  const said = before ? listChanges(bufferOf(before), bufferOf(list)) : { data: shownCertificates(bufferOf(list)) }
  parentPort?.postMessage(new TextEncoder().encode(JSON.stringify(said)))
})

/** What is sent to a thread arrives as plain arrays. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
