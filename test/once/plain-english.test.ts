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

/** A constant has the noun of what it is, such as `offer`, instead of one of these participles. */
const participles = /\b(found|known|shown|wanted|given)\b(?!:)/
const constants = /\b(?:const|let) (\w+|[[{][^;]*?[\]}](?= (?:=|of) ))/g

test('no constant of the product is named by a participle', () => {
  const files = findProductCode()
  expect(files.length).toBeGreaterThan(500)
  const named = files.sort().flatMap((file) => {
    const names = [...readFileSync(join(root, file), 'utf8').matchAll(constants)].map(([, name = '']) => name)
    return names.filter((name) => participles.test(name)).map((name) => `${file}: ${name}`)
  })
  expect(named).toEqual([])
})

test('an error class has no name of a fault, a failure or a refusal', () => {
  const classes = findProductCode().flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:export )?class (\w+) extends \w*Error\b/gm),
  ])
  const names = classes.map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(20)
  // A problem is an HTTP answer. Its class is the only one with this name.
  expect(names.filter((name) => /fault|failure|refus|problem/i.test(name))).toEqual(['Problem'])
})

/** Matches a comment that begins without its subject, such as "Of the secret in the cookie." */
const fragment =
  /\/\*\*\s+(?:\* )?((?:Of [a-z]|From \d|By `|Like `|As in|How (?:long|many|often)|In (?:PEM|milliseconds|seconds)\b)[^\n]*)/g

test('no comment begins without its subject', () => {
  const files = [...findProductCode(), ...globSync('test/harness/*.ts', { cwd: root })]
  const fragments = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(fragment)].map(([, text]) => `${file}: ${text}`),
  )
  expect(fragments).toEqual([])
})
