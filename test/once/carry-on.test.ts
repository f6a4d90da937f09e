import { globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { queues } from '../../shared/jobs/definition.ts'
import { parseProcfile } from '../../shared/launcher/procfile.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = read('docs/carry-on.md')
const drawingOf = (heading: string) => page.split(`## ${heading}\n`)[1]!.split('```')[1]!

test('the drawing of processes has each process of the Procfile with its program and roles', () => {
  const drawn = [...drawingOf('Processes').matchAll(/^│ (\w+) +(\S+\.ts.*?) *│$/gm)].map(([, name, command]) => ({
    name,
    command,
  }))
  const processes = parseProcfile(read('Procfile')).map(({ name, command }) => ({
    name,
    command: command.replace(/^node( --\S+)* dist\/server.js /, ''),
  }))
  expect(drawn.sort(byName)).toEqual(processes.sort(byName))
})

test('the drawing of the architecture has each process of the Procfile', () => {
  const drawing = read('docs/architecture.md').split('## Processes\n')[1]!.split('```')[1]!
  for (const { name } of parseProcfile(read('Procfile'))) expect(drawing).toMatch(new RegExp(`│ ${name} +[│├]`))
})

test('the drawing of processes has each queue at the process that serves it', () => {
  const drawn = [...drawingOf('Processes').matchAll(/^│ \w+ +\S+\.ts (.*?) *│\n│ +queues: (.*?) *│$/gm)].map(
    ([, roles = '', names = '']) => ({ roles: roles.split(' '), names: names.split(', ') }),
  )
  const queuesOf = queuesOfRoles()
  for (const { roles, names } of drawn)
    expect(names.sort()).toEqual(roles.flatMap((role) => queuesOf.get(role) ?? []).sort())
  expect(drawn.flatMap(({ names }) => names).sort()).toEqual([...queues].sort())
})

test('the drawing of folders has each folder of the project, and each folder of the two tiers', () => {
  // A line that begins with a name begins the block of a folder.
  const blocks = drawingOf('Folders')
    .trim()
    .split(/\n(?=\w)/)
    .map((block) => block.split('\n').flatMap(namesIn))
  const drawn = new Map(blocks.map(([folder, ...inner]) => [folder!, inner.sort()]))
  expect([...drawn.keys()].sort()).toEqual(foldersOfProject())
  for (const folder of ['api', 'workers', 'db', 'shared']) expect(drawn.get(folder), folder).toEqual(foldersIn(folder))
})

const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
  String(one.name).localeCompare(String(other.name))

/** The queues by role, as `workers/start.ts` serves them. */
function queuesOfRoles(): Map<string, string[]> {
  const [, ...cases] = read('workers/start.ts').split(/^ {4}case /m)
  return new Map(
    cases.map((each) => {
      const [, role = ''] = /^'([\w-]+)'/.exec(each) ?? []
      return [role, [...each.matchAll(/\bserve\('([\w-]+)'/g)].map(([, queue]) => queue!)]
    }),
  )
}

/** The folders before the description of a line: `├── tables/, repos/      by domain`. */
function namesIn(line: string): string[] {
  const [names = ''] = line.split(/ {2,}/)
  return [...names.matchAll(/([\w-]+)\//g)].map(([, name]) => name!)
}

function foldersOfProject(): string[] {
  const isGenerated = (name: string) => ['node_modules', 'dist', 'coverage'].includes(name) || name.startsWith('.')
  const entries = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries
    .map(({ name }) => name)
    .filter((name) => !isGenerated(name))
    .sort()
}

/** The folders with files, so that an empty folder that git does not know is left out. */
function foldersIn(folder: string): string[] {
  const files = globSync('*/**/*.*', { cwd: new URL(`${folder}/`, root) })
  return [...new Set(files.map((file) => file.split('/')[0]!))].sort()
}
