import { expect, test } from 'vitest'
import { copiedTables } from '../../db/copy/copied-tables.ts'
import { movedTables, stayingTables } from '../../db/moves/moved-tables.ts'

test('each table of the schema either moves with a tenant or stays for a reason', () => {
  const listed = [...movedTables, ...Object.keys(stayingTables)].sort()
  expect(listed).toEqual(
    copiedTables()
      .map(({ name }) => name)
      .sort(),
  )
})
