import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Paths whose text is not reworded yet. */
const notCleanYet: string[] = [
  '.ci/run',
  'api/access/console/',
  'api/http/',
  'api/issuance/pages/',
  'api/operations/',
  'api/status/',
  'api/tenancy/',
  'db/outbox.ts',
  'db/repos/certificates/',
  'db/repos/console/',
  'db/repos/credentials/',
  'db/repos/ecosystems/',
  'db/repos/identifiers/',
  'db/repos/list-page.ts',
  'db/repos/messaging/',
  'db/repos/operations/',
  'db/repos/status/',
  'db/repos/tenancy/',
  'db/retention/',
  'db/tables/',
  'examples/webhook-receiver.mjs',
  'shared/',
  'workers/',
]

const banned = /\b(nobody|somebody|whoever|anew|told|to be had)\b/gi
const product = ['{api,workers,shared,db,docs,examples,.ci}/**/*.{ts,tsx,js,mjs,md,css,html,sh}', '.ci/run', '*.md']
const generated = /^(db\/migrations\/|api\/console\/app\/api\.d\.ts$|docs\/data-model\.md$)|(^|\/)(node_modules|dist)\//

function findBanned(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => [...line.matchAll(banned)].map(([word]) => `${file}:${at + 1}: ${word}`))
}

test('product files have no banned words', () => {
  const files = globSync(product).filter((file) => !generated.test(file))
  expect(files.length).toBeGreaterThan(500)
  const checked = files.filter((file) => !notCleanYet.some((path) => file.startsWith(path)))
  expect(checked.sort().flatMap(findBanned)).toEqual([])
})
