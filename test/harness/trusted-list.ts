import type { X509Certificate } from 'node:crypto'
import { verifySign1 } from '../../shared/formats/cose.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import { type ListedCertificate, readEntry } from '../../shared/formats/trusted-lists/read-entry.ts'
import {
  openTrustedList,
  readPayload,
  type TrustedListQuestion,
  verifyListChain,
} from '../../shared/formats/trusted-lists/read-list.ts'

type TrustedList = Omit<ReturnType<typeof readPayload>, 'items'> & {
  chain: readonly X509Certificate[]
  entries: ListedCertificate[]
  /** The entries without a readable certificate, by index. */
  unreadable: { index: number; reason: string }[]
}

/** Reads a list at once. Verifies its signature, and that a trusted authority has certified its signer. Throws the first fault. */
export function readTrustedList(
  bytes: Uint8Array,
  question: TrustedListQuestion,
): TrustedList & { root: X509Certificate } {
  const { chain, payload } = openTrustedList(bytes, question.kind)
  const verdict = verifyListChain(chain, question)
  if (!verdict.isTrusted) throw new Error(`the signer is not trusted: ${verdict.message}`)
  if (question.kind === 'rical' && verdict.hasRoot) throw new Error('the chain contains the root')
  if (!verifySign1(bytes, verdict.leaf.publicKey).verified) throw new Error('the signature is not valid')
  const list = readContent(payload, question.kind)
  if (list.notAfter && list.notAfter < question.at) throw new Error('the list has expired')
  return { ...list, chain, root: verdict.root }
}

/** Reads a list without verification of its signature and chain. */
export function parseTrustedList(bytes: Uint8Array, kind: TrustedListKind): TrustedList {
  const { chain, payload } = openTrustedList(bytes, kind)
  return { ...readContent(payload, kind), chain }
}

function readContent(payload: Uint8Array, kind: TrustedListKind): Omit<TrustedList, 'chain'> {
  const { items, ...members } = readPayload(payload, kind)
  const entries: ListedCertificate[] = []
  const unreadable: { index: number; reason: string }[] = []
  for (const [index, item] of items.entries()) {
    const entry = readEntry(item)
    if ('reason' in entry) unreadable.push({ index, reason: entry.reason })
    else entries.push(entry)
  }
  return { ...members, entries, unreadable }
}
