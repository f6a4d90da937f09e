import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutOwnStatements } from '../suite/without-own-statements.ts'

const root = join(import.meta.dirname, '..')

test('each file that PostgreSQL leaves out for its statements exists once in the list', () => {
  expect(withoutOwnStatements.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(new Set(withoutOwnStatements).size).toBe(withoutOwnStatements.length)
})

test('no file that PostgreSQL leaves out for its statements has a test of PostgreSQL or of concurrent requests', () => {
  const source = (file: string) => readFileSync(join(root, file), 'utf8')
  const isOfPostgres = (file: string) => /tags: .*'postgres'|Promise\.all\(|test\.concurrent/.test(source(file))
  expect(withoutOwnStatements.filter(isOfPostgres)).toEqual([])
})
