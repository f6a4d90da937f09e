import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = globSync('{api,workers,shared,db,docs}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/*.d.ts', 'api/console/built*'],
}).sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const named = /\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g
const whole = /\*(?:\s+as\s+\w+)?\s+from\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/g
const exported = /^export (?:async )?(const|let|function\*?|class|interface|type) (\w+)/gm

/** What the files of the product import: `file name`, and `file *` for a whole file. */
const imported = new Set(
  [...texts].flatMap(([file, text]) => {
    const pathOf = (to = '') => relative(root, join(root, dirname(file), to))
    const names = [...text.matchAll(named)].flatMap(([, list = '', to]) =>
      list.split(',').map(
        (each) =>
          `${pathOf(to)} ${
            each
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0]
          }`,
      ),
    )
    return [...names, ...[...text.matchAll(whole)].map(([, fixed, dynamic]) => `${pathOf(fixed ?? dynamic)} *`)]
  }),
)

/** Exports that only tests import, by the reason why tests need them. */
const forTests: Record<string, string[]> = {
  'programs that tests call without a process': [
    ...['typesOf', 'withTypescriptApi', 'printRoles', 'printDataModel', 'backUp', 'refuseCircles', 'verifyRelease'],
  ],
  'values that tests replace or compare': ['exampleProof', 'exampleAccessToken', 'problemNames'],
  'other limits than those of the service': ['createVerifiers', 'consolePages', 'retryPausesMs', 'nextPauseMs'],
  'one step of work that the service repeats': [
    ...['moveOutboxRows', 'issuePortion', 'setNextPortion', 'putMessage', 'createUserTerms', 'matchAll'],
    ...['claimLinksRemoval', 'purgeDeliveriesOf', 'purgeEventsOf'],
  ],
  'values that a standard or an outside program has': ['noteKeyId', 'signatureStructure', 'nodeHash'],
  'parts with more cases than requests show': [
    'detailsOf',
    'EncryptedMessageSchema',
    'errorFields',
    'waitingEventsKey',
  ],
  'a query that a test runs on rows of another tenant': ['readAuditTile'],
  'columns and tables of people, which a test compares with the schema and with an erasure': [
    'columnsByTable',
    'searchTables',
  ],
  'the tables of a move, which a test compares with the schema': ['movedTables', 'stayingTables'],
  'the limit of changes in one transaction': ['maxChangesAtOnce'],
  'code that the build writes into the bundle': ['CronExpressionParser'],
}

/** Tests clear caches. */
const isCache = (name: string) => name.endsWith('Cache')

test('each export is imported by another file of the product, or describes the values of the exports beside it', () => {
  const unused = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(exported)].flatMap(([, kind = '', name = '']) => {
      if (imported.has(`${file} ${name}`) || imported.has(`${file} *`) || isCache(name)) return []
      const isType = kind === 'interface' || kind === 'type'
      // A type of a parameter or a result is used in its own file.
      return isType && text.split(new RegExp(`\\b${name}\\b`)).length > 2 ? [] : [{ file, name }]
    }),
  )
  const allowed = Object.values(forTests).flat()
  expect(unused.filter(({ name }) => !allowed.includes(name))).toEqual([])
  expect(allowed.filter((name) => !unused.some((each) => each.name === name))).toEqual([])
})
