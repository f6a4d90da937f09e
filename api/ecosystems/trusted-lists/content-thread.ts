import { isLote, type ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { listChanges, shownCertificates } from '../../../shared/formats/trusted-lists/list-changes.ts'
import { loteChanges, shownLoteCertificates } from '../../../shared/formats/trusted-lists/lote/lote-changes.ts'
import { answerInputs } from '../../../shared/threads/answer-inputs.ts'

/** A signed list, and an earlier list to compare it with. */
export interface ListToCompare {
  kind: ListKind
  list: Uint8Array
  before?: Uint8Array
}

/** A thread that reads one list after the other. It returns the certificates or the changes of a list in JSON. */
answerInputs(({ kind, list, before }: ListToCompare) => {
  const [changesOf, certificatesOf] = isLote(kind)
    ? [loteChanges, shownLoteCertificates]
    : [listChanges, shownCertificates]
  const content = before ? changesOf(bufferOf(before), bufferOf(list)) : { data: certificatesOf(bufferOf(list)) }
  return new TextEncoder().encode(JSON.stringify(content))
})

/** Wraps the bytes in a Buffer, because a Buffer arrives in a thread as a plain Uint8Array. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
