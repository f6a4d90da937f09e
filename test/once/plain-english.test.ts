import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const banned = /\b(nobody|somebody|whoever|anew|told|to be had)\b/gi
const product = ['{api,workers,shared,db,docs,examples,.ci}/**/*.{ts,tsx,js,mjs,md,css,html}', '.ci/run', '*.md']
const tests = 'test/**/*.{ts,tsx,js}'
const generated = /^(db\/migrations\/|api\/console\/(app\/api\.d\.ts$|built))/

function findBanned(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, at) => [...line.matchAll(banned)].map(([word]) => `${file}:${at + 1}: ${word}`))
}

test('tests have no banned words', () => {
  // This file contains the words as a pattern, and the other one the name of a Unix user.
  const exceptions = ['test/once/plain-english.test.ts', 'test/harness/postgres.ts']
  const files = globSync(tests, { cwd: root }).filter((file) => !exceptions.includes(file))
  expect(files.length).toBeGreaterThan(200)
  expect(files.sort().flatMap(findBanned)).toEqual([])
})

test('product files have no banned words', () => {
  const files = globSync(product, { cwd: root }).filter((file) => !generated.test(file))
  expect(files.length).toBeGreaterThan(500)
  expect(files.sort().flatMap(findBanned)).toEqual([])
})
