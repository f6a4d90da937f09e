import { readFileSync } from 'node:fs'
import { getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { printDataModel } from '../../db/cli/print-data-model.ts'
import { retentionRules } from '../../db/retention/retention-table.ts'
import { tableDescriptions } from '../../db/retention/table-descriptions.ts'

test('docs/data-model.md is current (`npm run docs:data-model` writes it)', () => {
  expect(readFileSync(new URL('../../docs/data-model.md', import.meta.url), 'utf8')).toBe(printDataModel())
})

test('each table has a description', () => {
  const described = Object.values(tableDescriptions).flatMap((tables) => Object.keys(tables))
  expect(described.sort()).toEqual(retentionRules.map(({ table }) => getTableName(table)).sort())
})
