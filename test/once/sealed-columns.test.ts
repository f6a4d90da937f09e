import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as schema from '../../db/schema.ts'
import { privateKeyColumn, serviceSealedColumns } from '../../db/sealed-columns.ts'
import * as contexts from '../../shared/secrets/stored-contexts.ts'

const root = join(import.meta.dirname, '../..')
const columns = [...serviceSealedColumns, privateKeyColumn]
/** The contexts of values that only Redis has. */
const contextsOfJobs = ['jobSealContext']

test('each column with the name of a sealed value is among the sealed columns', () => {
  const names = Object.values(schema)
    .filter((each) => is(each, Table))
    .flatMap((table) => Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`))
  const sealed = names.filter((name) => /\.(sealed|wrapped_private)_/.test(name))
  expect(columns.map(({ table, column }) => `${getTableName(table)}.${column.name}`)).toEqual(
    expect.arrayContaining(sealed),
  )
})

test('each value is sealed for the context of a sealed column, or for a job', () => {
  const files = globSync('{api,db,shared,workers}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
  const calls = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/secrets\.seal(?:Bytes)?\(.*?, (\w+)\(/g)].map(
      ([, context = '']) => context,
    ),
  )
  const registry = readFileSync(join(root, 'db/sealed-columns.ts'), 'utf8')
  const registered = Object.keys(contexts).filter((name) => registry.includes(`contexts.${name}`))
  expect(registered).toEqual(Object.keys(contexts))
  expect(calls.length).toBeGreaterThan(15)
  expect(calls.filter((context) => ![...registered, ...contextsOfJobs].includes(context))).toEqual([])
})
