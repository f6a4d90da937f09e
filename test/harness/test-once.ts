import { test } from 'vitest'
import { dialect } from '../../db/columns.ts'

/** A test whose result does not depend on the database. The suite on PostgreSQL skips it. */
export const testOnce = test.runIf(dialect === 'sqlite')
