import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
// The console in the browser is a program of its own. Declaration files are generated, or describe packages.
const exclude = ['api/console/app/**', '**/*.d.ts']
const declaration = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

/** Returns the names that a file exports. A type and a value of one name, such as a schema and its type, count as one. */
function exportsOf(file: string): { name: string; file: string }[] {
  const names = [...readFileSync(join(root, file), 'utf8').matchAll(declaration)].map(([, name = '']) => name)
  return [...new Set(names)].map((name) => ({ name, file }))
}

test('no two files of the service export the same name', () => {
  const files = globSync('{api,workers,shared,db}/**/*.ts', { cwd: root, exclude })
  const exported = files.flatMap(exportsOf)
  expect(exported.length).toBeGreaterThan(2_000)
  const byName = Map.groupBy(exported, ({ name }) => name)
  const duplicates = [...byName].filter(([, all]) => all.length > 1)
  expect(duplicates.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`).sort()).toEqual([])
})

test('a turn is called by its meaning: tick, time slice or round robin', () => {
  const turn = /\b(?:(?:in|takes?|its|a|an|each|next|last) turns?|turns?Ms|[a-z]+Turns?|turns? of)\b/
  const files = globSync(['{api,workers,shared,db}/**/*.ts', 'docs/*.md'], { cwd: root, exclude })
  const lines = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'))
  // The bench of the project counts its rounds with the option `--turns`.
  expect(lines.filter((line) => turn.test(line) && !line.includes('--turns') && !line.includes('bench'))).toEqual([])
})
