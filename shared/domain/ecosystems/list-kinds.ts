import type { TrustedListKind } from '../../formats/trusted-lists/kinds.ts'
import { type LoteType, loteTypeNames } from '../../formats/trusted-lists/lote/lote-types.ts'

/** The kinds of lists that an ecosystem publishes. Lists of trusted entities have a kind for each of their types. */
export type ListKind = TrustedListKind | LoteType

export const listKinds: readonly ListKind[] = ['vical', 'rical', ...loteTypeNames]

export function isLote(kind: ListKind): kind is LoteType {
  return kind !== 'vical' && kind !== 'rical'
}

/** Returns the kind in the names of events: all types of lists of trusted entities have the same events. */
export function eventNameOf(kind: ListKind): 'VICAL' | 'RICAL' | 'LOTE' {
  if (isLote(kind)) return 'LOTE'
  return kind === 'vical' ? 'VICAL' : 'RICAL'
}

/** Returns the name of a list for operators: the type of a list of trusted entities tells it from the others. */
export function listLabelOf(kind: ListKind): 'VICAL' | 'RICAL' | LoteType {
  if (isLote(kind)) return kind
  return kind === 'vical' ? 'VICAL' : 'RICAL'
}

/** Returns the member of the data of an event that tells the types apart. */
export function loteTypeIn(kind: ListKind): { loteType?: LoteType } {
  return isLote(kind) ? { loteType: kind } : {}
}

/** Returns the kind of signer. A signer of RICALs also signs lists of trusted entities: its certificate has no extended key usage. */
export function signerKindOf(kind: ListKind): 'vical-signer' | 'rical-signer' {
  return kind === 'vical' ? 'vical-signer' : 'rical-signer'
}
