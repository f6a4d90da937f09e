import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { withTypescriptApi } from '../../api/cli/print-console-types.ts'
import { printOpenApi } from '../../api/http/openapi.ts'
import { tags } from '../../api/operations/reference/tags.ts'
import { documentedWebhooks } from '../../api/operations/reference/webhooks.ts'
import { routes } from '../../api/routes.ts'

/** Generates clients from the OpenAPI document with the generators that are used most, and compiles them and a program that calls them. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const dir = mkdtempSync(join(tmpdir(), 'trustwright-generated-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const text = JSON.stringify(printOpenApi(routes, { productVersion: '0', tags, webhooks: documentedWebhooks }))
const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(text)
const operations = Object.values(document.paths).flatMap((path) =>
  Object.values(path).flatMap(({ operationId }) => operationId ?? []),
)
const input = join(dir, 'openapi.json')
writeFileSync(input, text)

/** Returns what the compiler reports about the files of a folder. */
async function compile(folder: string): Promise<string> {
  const options = { target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: [], noEmit: true, strict: true }
  // The libraries of the compiler itself are not the subject, and take a second.
  const compilerOptions = { ...options, module: 'esnext', moduleResolution: 'bundler', skipDefaultLibCheck: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  return promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    ({ stdout }) => stdout,
  )
}

/** Returns the functions that the files of a folder export. */
function functionsOf(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^export const (\w+) = /gm)].map(([, found = '']) => found),
  )
}

const program = (imports: string, good: string, wrong: string) => `${imports}
export const user = await ${good}
// @ts-expect-error The path needs an id.
export const other = await ${wrong}
`

test('@hey-api/openapi-ts generates a client that compiles', { tags: 'hey-api' }, async () => {
  const folder = join(dir, 'hey-api')
  await withTypescriptApi(async () => {
    const { createClient } = await import('@hey-api/openapi-ts')
    await createClient({ input, output: folder, logs: { level: 'silent' } })
  })
  expect(functionsOf(folder)).toEqual(expect.arrayContaining(operations))
  writeFileSync(
    join(folder, 'program.ts'),
    program("import { retrieveUser } from './sdk.gen'", "retrieveUser({ path: { id: '' } })", 'retrieveUser({})'),
  )
  expect(await compile(folder)).toBe('')
})

test('orval generates a client that compiles', { tags: 'orval' }, async () => {
  const folder = join(dir, 'orval')
  const { generate } = await import('orval')
  await generate({
    input: { target: input },
    output: { target: join(folder, 'api.ts'), client: 'fetch', mode: 'split' },
  })
  expect(functionsOf(folder)).toEqual(expect.arrayContaining(operations))
  writeFileSync(
    join(folder, 'program.ts'),
    program("import { retrieveUser } from './api'", "retrieveUser('')", 'retrieveUser()'),
  )
  expect(await compile(folder)).toBe('')
})
