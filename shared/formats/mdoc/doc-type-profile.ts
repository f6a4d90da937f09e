import type { ElementType } from './element-types.ts'
import type { UsualValue } from './usual-values.ts'
import type { ElementRelation, ValueRule } from './value-rules.ts'

/** The rules of a standard for the elements of one namespace. */
export interface NamespaceProfile {
  readonly elements: Readonly<Record<string, ElementType>>
  /** Mandatory elements. If an entry has several names, one of them is enough. */
  readonly mandatory: readonly (readonly string[])[]
  /** The rules for values, by element. */
  readonly rules?: Readonly<Record<string, ValueRule>>
  /** The usual form of values, by element. Other values are allowed, but doubtful. */
  readonly usual?: Readonly<Record<string, UsualValue>>
  readonly relations?: readonly ElementRelation[]
  /** Whether the standard forbids elements that it does not define. Elements of an issuer are in another namespace then. */
  readonly isClosed?: boolean
}

/** The rules of a standard for a document type, by namespace. */
export type DocTypeProfile = Readonly<Record<string, NamespaceProfile>>
