import { listChanges, shownCertificates } from '../../../shared/formats/trusted-lists/list-changes.ts'
import { answerInputs } from '../../../shared/threads/answer-inputs.ts'

/** A signed list, and an earlier list to compare it with. */
export interface ListToCompare {
  list: Uint8Array
  before?: Uint8Array
}

/** A thread that reads one list after the other. It returns the certificates or the changes of a list in JSON. */
answerInputs(({ list, before }: ListToCompare) => {
  const content = before ? listChanges(bufferOf(before), bufferOf(list)) : { data: shownCertificates(bufferOf(list)) }
  return new TextEncoder().encode(JSON.stringify(content))
})

/** Wraps the bytes in a Buffer, because a Buffer arrives in a thread as a plain Uint8Array. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
