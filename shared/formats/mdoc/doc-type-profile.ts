import type { ElementType } from './element-types.ts'

/** The rules of a standard for the elements of one namespace. */
export interface NamespaceProfile {
  readonly elements: Readonly<Record<string, ElementType>>
  /** Mandatory elements. If an entry has several names, one of them is enough. */
  readonly mandatory: readonly (readonly string[])[]
}

/** The rules of a standard for a document type, by namespace. */
export type DocTypeProfile = Readonly<Record<string, NamespaceProfile>>
