import { boolean, integer, json, table, text, timestamp } from '../../columns.ts'

/** A key whose private part its provider does not have. */
export interface MissingKey {
  tenantId: string
  keyId: string
}

/** A key of a provider that no row names. */
export interface UnusedKey {
  handle: string
  /** When a comparison found it first, in milliseconds since 1970. */
  foundAt: number
}

/** The last comparison of the rows of keys with the keys of each provider besides the software. */
export const keyComparisons = table('key_comparisons', {
  /** `pkcs11` or `remote:<name>`. */
  provider: text('provider').primaryKey(),
  comparedAt: timestamp('compared_at').notNull(),
  /** False if the provider has more keys than are compared. Then nothing is missing or unused. */
  isComplete: boolean('is_complete').notNull(),
  /** The number of rows that name a key of the provider. */
  rowCount: integer('row_count').notNull(),
  /** The number of keys that the provider has. */
  keyCount: integer('key_count').notNull(),
  missingCount: integer('missing_count').notNull(),
  /** The first keys that are missing. */
  missing: json<MissingKey[]>('missing').notNull(),
  /** The first keys that no row names. A key that is being created is among them. */
  unused: json<UnusedKey[]>('unused').notNull(),
})
