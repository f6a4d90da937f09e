import type { ElementType } from './element-types.ts'

/** What a standard says of the elements of one namespace. */
export interface NamespaceProfile {
  readonly elements: Readonly<Record<string, ElementType>>
  /** Elements that every document has; of several names in a row, one. */
  readonly mandatory: readonly (readonly string[])[]
}

/** What a standard says of a document type, by namespace. */
export type DocTypeProfile = Readonly<Record<string, NamespaceProfile>>
