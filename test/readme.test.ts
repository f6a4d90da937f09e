import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const namesIn = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name))

test('the README tells of every variable of the configuration, and of no other', () => {
  const told = namesIn(read('README.md'), /^\| `([A-Z_]+)` \|/gm)
  const known = namesIn(read('shared/config.ts'), /\b([A-Z][A-Z_]+): (?:z|flag|list)\b/g)
  expect(told).toEqual(known)
})
