import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { equivalents } from '../mutants/equivalents.ts'

const root = join(import.meta.dirname, '../..')

test('every equivalent mutant names an existing line of its file', () => {
  const linesOf = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => line.trim())
  expect(equivalents.filter(({ file, line }) => !linesOf(file).includes(line))).toEqual([])
})
