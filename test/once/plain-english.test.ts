import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import common from '@ts-morph/common'
import { expect, test } from 'vitest'

const { ts } = common
const root = join(import.meta.dirname, '../..')
const banned = /\b(nobody|somebody|whoever|anew|told|to be had)\b/gi
const product = ['{api,workers,shared,db,docs,examples,.ci}/**/*.{ts,tsx,js,mjs,md,css,html}', '.ci/run', '*.md']
const tests = 'test/**/*.{ts,tsx,js}'
const generated = /^(db\/migrations\/|api\/console\/(app\/api\.d\.ts$|built))/

function findBanned(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, at) => [...line.matchAll(banned)].map(([word]) => `${file}:${at + 1}: ${word}`))
}

function findProductCode(): string[] {
  return globSync('{api,workers,shared,db}/**/*.{ts,tsx,js}', { cwd: root }).filter((file) => !generated.test(file))
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

/** A value has the noun of what it is, such as `offer`, instead of one of these participles. A function has a verb. */
const participles = /\b(found|known|shown|wanted|given)\b/

/** Returns the constants, functions, parameters and members of a file that are named by a participle. */
function findParticiples(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (!participles.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const lines: string[] = []
  const visit = (node: common.ts.Node): void => {
    if (ts.isIdentifier(node) && participles.test(node.text)) {
      lines.push(`${file}:${source.getLineAndCharacterOfPosition(node.end).line + 1}: ${node.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

test('nothing in the product, its documents and the harness is named by a participle', () => {
  const others = globSync(['{docs,examples,.ci}/**/*.{ts,js,mjs}', 'test/{harness,servers,wallets}/*.ts'], {
    cwd: root,
  })
  const files = [...findProductCode(), ...others]
  expect(files.length).toBeGreaterThan(500)
  expect(files.sort().flatMap(findParticiples)).toEqual([])
})

test('an error class has no name of a fault, a failure or a refusal', () => {
  const classes = findProductCode().flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:export )?class (\w+) extends \w*Error\b/gm),
  ])
  const names = classes.map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(20)
  // A problem is an HTTP answer. A provider of keys is not available now, or it refuses for good.
  const exceptions = ['KeyProviderRefused', 'Problem']
  expect(names.filter((name) => /fault|failure|refus|problem/i.test(name)).sort()).toEqual(exceptions)
})

/** Matches a comment that begins without its subject, such as "Of the secret in the cookie." */
const fragment =
  /\/\*\*\s+(?:\* )?((?:Of [a-z]|From \d|By `|Like `|As in|How (?:long|many|often)|(?:What|Why)\b|In (?:PEM|milliseconds|seconds)\b)[^\n]*)/g

test('no comment begins without its subject', () => {
  const files = [...findProductCode(), ...globSync('test/harness/*.ts', { cwd: root })]
  const fragments = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(fragment)].map(([, text]) => `${file}: ${text}`),
  )
  expect(fragments).toEqual([])
})
