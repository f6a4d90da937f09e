import { type WalletFamily, walletFamilies } from '../../../shared/domain/issuance/wallet-families.ts'
import type { Documents, ReaderCheck, ReaderFault } from './check.ts'
import { families } from './families.ts'

/** A check that a document fails. */
export interface ReaderFinding extends ReaderFault, Pick<ReaderCheck, 'part' | 'affects' | 'source'> {
  check: string
}

export interface WalletReader {
  family: WalletFamily
  name: string
  version: string
  /** Whether the wallet reads the documents. It can leave out configurations. */
  canRead: boolean
  findings: ReaderFinding[]
}

/** Returns what each wallet family does not read in the documents. */
export function findReaders(
  documents: Documents,
  ofFamilies: readonly WalletFamily[] = walletFamilies,
): WalletReader[] {
  return ofFamilies.map((family) => {
    const { name, version, checks } = families[family]
    const findings = checks.flatMap((check) => findingsOf(check, documents))
    return { family, name, version, canRead: findings.every(({ affects }) => affects !== 'issuer'), findings }
  })
}

function findingsOf({ id, part, affects, source, check }: ReaderCheck, documents: Documents): ReaderFinding[] {
  if (documents[part] === undefined) return []
  return check(documents).map((fault) => ({ check: id, part, affects, source, ...fault }))
}
