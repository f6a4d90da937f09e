import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretSettings } from '../../shared/secret-files.ts'
import { settings } from '../../shared/settings.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/deploy/systemd')
const read = (path: string) => readFileSync(path, 'utf8')

/** The command of each process, without the program itself. */
const processes = Object.fromEntries(
  [...read(join(root, 'Procfile')).matchAll(/^(\w+): node (.*)$/gm)].map(([, name = '', command]) => [name, command]),
)
/** The migration has its own name as a unit. */
const unitOf = (name: string) => join(folder, `trustwright-${name === 'release' ? 'migrate' : name}.service`)

/** Returns the values of a directive of a unit. */
function valuesOf(unit: string, directive: string): string[] {
  return [...read(unit).matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

test('each process of the Procfile has a unit with the same command, and there are no others', () => {
  const names = Object.keys(processes)
  expect(globSync('*.service', { cwd: folder }).sort()).toEqual(
    names.map((name) => unitOf(name).slice(folder.length + 1)).sort(),
  )
  for (const name of names)
    expect(valuesOf(unitOf(name), 'ExecStart')).toEqual([`/opt/trustwright/node_modules/.bin/node ${processes[name]}`])
  const wanted = valuesOf(join(folder, 'trustwright.target'), 'Wants').join(' ').split(' ')
  expect(wanted.sort()).toEqual(
    names
      .filter((name) => name !== 'release')
      .map((name) => `trustwright-${name}.service`)
      .sort(),
  )
})

test('units set known settings only, secrets by files, and the key-encryption key for signing only', () => {
  const known = new Set([...Object.keys(settings), ...secretSettings.map((name) => `${name}_FILE`)])
  const ofFile = [...read(join(folder, 'trustwright.env')).matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name)
  for (const name of Object.keys(processes)) {
    const set = valuesOf(unitOf(name), 'Environment').map((each) => each.split('=')[0] ?? '')
    expect([...set, ...ofFile].filter((each) => !known.has(each))).toEqual([])
    expect(set.filter((each) => (secretSettings as readonly string[]).includes(each))).toEqual([])
    const credentials = valuesOf(unitOf(name), 'LoadCredential').map((each) => each.split(':')[0])
    const files = valuesOf(unitOf(name), 'Environment').flatMap((each) => /_FILE=%d\/(.*)/.exec(each)?.[1] ?? [])
    expect(files.sort()).toEqual(credentials.sort())
    expect(credentials.includes('key-encryption-key'), name).toBe(name === 'signing')
  }
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('systemd accepts the units, and finds an exposure below 2.0', () => {
  for (const name of Object.keys(processes)) {
    const unit = unitOf(name)
    const verified = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', unit], { encoding: 'utf8' })
    // The program is not installed here.
    expect(verified.stderr.split('\n').filter((line) => line && !line.includes('is not executable'))).toEqual([])
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? []
    expect(Number(exposure), report).toBeLessThan(2)
    expect(Number(exposure)).toBeGreaterThan(0)
  }
})
