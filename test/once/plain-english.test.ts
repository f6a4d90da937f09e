import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const banned = /\b(nobody|somebody|whoever|anew|told|to be had)\b/gi
const product = ['{api,workers,shared,db,docs,examples,.ci}/**/*.{ts,tsx,js,mjs,md,css,html}', '.ci/run', '*.md']
const generated = /^(db\/migrations\/|api\/console\/(app\/api\.d\.ts$|built))/

function findBanned(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, at) => [...line.matchAll(banned)].map(([word]) => `${file}:${at + 1}: ${word}`))
}

test('product files have no banned words', () => {
  const files = globSync(product, { cwd: root }).filter((file) => !generated.test(file))
  expect(files.length).toBeGreaterThan(500)
  expect(files.sort().flatMap(findBanned)).toEqual([])
})
