import { listChanges, shownCertificates } from '../../../shared/formats/trusted-lists/list-changes.ts'
import { answerInputs } from '../../../shared/threads/answer-inputs.ts'

/** A list, as it was signed, and an earlier one that it is compared with. */
export interface ListToCompare {
  list: Uint8Array
  before?: Uint8Array
}

/** A thread that reads one list after the other, and writes what it has, or what has changed, in JSON. */
answerInputs(({ list, before }: ListToCompare) => {
  const said = before ? listChanges(bufferOf(before), bufferOf(list)) : { data: shownCertificates(bufferOf(list)) }
  return new TextEncoder().encode(JSON.stringify(said))
})

/** What is sent to a thread arrives as plain arrays. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
