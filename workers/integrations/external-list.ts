import type { IntegrationFormat, SkippedEntry } from '../../shared/domain/ecosystems/integrations.ts'
import type { LoteType } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import type { ListEntry } from './list-entries.ts'

/** A fetched list and the parameters of its verification. */
export interface ListToVerify {
  bytes: Uint8Array
  format: IntegrationFormat
  /** The required type of a list of trusted entities. */
  loteType?: LoteType
  /** The types of credentials for which the issuers of a list of trusted entities are trusted. */
  types?: readonly string[]
  /** The trust anchors of the operator, in PEM. One of them must have certified the signer. */
  anchors: readonly string[]
  /** The root of the last valid list, in PEM. Without anchors, the next list must have the same root. */
  pinnedRoot?: string
  /** The date of the last valid list. */
  lastDate?: Date
  /** The sequence number of the last valid list of trusted entities. */
  lastNumber?: number
  at: Date
}

export interface GoodList {
  date: Date
  /** The sequence number of a list of trusted entities. */
  number?: number
  nextUpdate?: Date
  /** The same bytes are valid until then. */
  until: Date
  /** The root certificate, in PEM. */
  root: string
  entries: ListEntry[]
  skipped: { count: number; first: SkippedEntry[] }
}
