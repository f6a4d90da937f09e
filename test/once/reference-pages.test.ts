import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { printRoles } from '../../api/cli/print-roles.ts'
import { codeOf, problemNames, statusOf } from '../../shared/errors/errors.ts'

const textOf = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')

test('docs/roles.md is current (`npm run docs:roles` writes it)', () => {
  expect(textOf('roles.md')).toBe(printRoles())
})

test('docs/errors.md has each error with its statuses, and no other', () => {
  const rows = textOf('errors.md').matchAll(/^\| ([\d, ]+) \| `(\w+)` \|/gm)
  const documented = [...rows].flatMap(([, statuses = '', code]) =>
    statuses.split(', ').map((each) => `${each} ${code}`),
  )
  const all = problemNames.map((name) => `${statusOf(name)} ${codeOf(name)}`)
  // A wallet sends this code.
  const expected = new Set(all).difference(new Set(['400 credential_failure']))
  expect(new Set(documented)).toEqual(expected)
})
