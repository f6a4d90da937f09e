import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type SettingName, settings } from '../../shared/settings/settings.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z\d_]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]

test('docs/settings.md has one row for each setting, in the order of the code', () => {
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(settings))
})

test('docs/settings.md names the default of the code', () => {
  for (const [, name = '', documented] of rows) {
    const value = settings[name as SettingName].parse(undefined)
    if (value === undefined || Array.isArray(value)) continue
    expect([name, documented]).toEqual([name, `\`${typeof value === 'boolean' ? Number(value) : value}\``])
  }
})

/** Variables of the system, of Node and of npm. */
const ofOthers = ['PATH', 'npm_lifecycle_event']

test('the code reads no other environment variable', () => {
  const files = globSync('{api,db,shared,workers}/**/*.ts', {
    cwd: new URL('../..', import.meta.url),
    // The console shows programs of users, which read their own variables.
    exclude: ['api/console/app/**'],
  })
  const named = files.flatMap((file) => [...read(file).matchAll(/process\.env\.(\w+)/g)].map(([, name = '']) => name))
  expect(named.filter((name) => !ofOthers.includes(name) && !(name in settings))).toEqual([])
})
