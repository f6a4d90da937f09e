import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type SettingName, settings } from '../../shared/settings.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]

test('docs/settings.md has a row for each setting, once, in the order in which they are read', () => {
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(settings))
})

test('it tells the default that the code has', () => {
  for (const [, name = '', told] of rows) {
    const value = settings[name as SettingName].parse(undefined)
    if (value === undefined || Array.isArray(value)) continue
    expect([name, told]).toEqual([name, `\`${typeof value === 'boolean' ? Number(value) : value}\``])
  }
})

/** Of the system, of Node and of npm. */
const ofOthers = ['PATH', 'npm_lifecycle_event']

test('nothing else is read from the environment', () => {
  const files = globSync('{api,db,shared,workers}/**/*.ts', { cwd: new URL('../..', import.meta.url) })
  const named = files.flatMap((file) => [...read(file).matchAll(/process\.env\.(\w+)/g)].map(([, name = '']) => name))
  expect(named.filter((name) => !ofOthers.includes(name) && !(name in settings))).toEqual([])
})
