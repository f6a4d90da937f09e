import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTypes } from '../../api/cli/print-console-types.ts'
import { printOpenApi } from '../../api/http/openapi.ts'
import { tags } from '../../api/operations/reference/tags.ts'
import { documentedWebhooks } from '../../api/operations/reference/webhooks.ts'
import { routes } from '../../api/routes.ts'

/**
 * Writes a program from the reference that calls each operation through the client, with the examples of the reference. The compiler
 * checks it against the types of the client. It runs against a server that returns what it received.
 */
interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
  minimum?: number
  items?: Schema
}
interface Operation {
  operationId: string
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'trustwright-operations-'))
const file = join(dir, 'program.ts')
const document: OpenApi = JSON.parse(
  JSON.stringify(printOpenApi(routes, { productVersion: '0', tags, webhooks: documentedWebhooks })),
)
const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    operation.operationId ? [callOf(path, method.toUpperCase(), operation)] : [],
  ),
)

interface Received {
  method: string
  target: string
  contentType?: string
  body: string
}

const echo = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  const { method = '', url: target = '', headers } = request
  const received: Received = { method, target, contentType: headers['content-type'] ?? '', body }
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ access_token: 'token', expires_in: 3600, ...received }))
})

beforeAll(async () => {
  await writeTypes()
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
  writeFileSync(
    file,
    `import { createTrustwright } from ${JSON.stringify(join(root, 'shared/client/client.ts'))}
const client = createTrustwright({ baseUrl: ${JSON.stringify(baseUrl)}, clientId: 'id', clientSecret: 'secret' })
const calls: [operation: string, call: () => Promise<{ data?: unknown; error?: unknown }>][] = [
${calls.map(({ operation, code }) => `  [${JSON.stringify(operation)}, () => ${code}],`).join('\n')}
]
for (const [operation, call] of calls) {
  const { data, error } = await call()
  console.log(JSON.stringify([operation, data ?? error]))
}
`,
  )
  const compilerOptions = { target: 'esnext', module: 'nodenext', types: ['node'], noEmit: true, strict: true }
  const more = { allowImportingTsExtensions: true, exactOptionalPropertyTypes: true, skipLibCheck: true }
  const typeRoots = [join(root, 'node_modules/@types')]
  const options = { compilerOptions: { ...compilerOptions, ...more, typeRoots }, files: [file] }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(options))
  writeFileSync(join(dir, 'package.json'), '{"type": "module"}')
})
afterAll(() => {
  echo.close()
  rmSync(dir, { recursive: true, force: true })
})

function callOf(path: string, method: string, { operationId, parameters = [], requestBody }: Operation) {
  const values = (place: string) =>
    Object.fromEntries(
      parameters.flatMap(({ name, in: at, required, schema }) => {
        const value = at === place ? sampleOf(schema, required ?? false) : undefined
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const params = Object.fromEntries(
    ['path', 'query', 'header']
      .map((place) => [place, values(place)])
      .filter(([, each]) => Object.keys(each!).length > 0),
  )
  const media = Object.keys(requestBody?.content ?? {})
  const example = requestBody?.content['application/json']?.example
  const init = [
    ...(Object.keys(params).length > 0 ? [`params: ${JSON.stringify(params)}`] : []),
    ...(media.includes('application/json') ? [`body: ${JSON.stringify(example)}`] : otherBody(media)),
  ]
  const code = `client.${method}(${JSON.stringify(path)}, { ${init.join(', ')} })`
  return { operation: operationId, method, path, params, media, example, code }
}

/** A body that the types of the client do not describe. */
function otherBody([media]: string[]): string[] {
  if (media === 'multipart/form-data') return ['body: {} as never', 'bodySerializer: () => new FormData()']
  return media === undefined ? [] : ['body: {} as never', `headers: { 'Content-Type': '${media}' }`]
}

/** An example of a parameter. Undefined for an optional parameter without an example. */
function sampleOf(schema: Schema, required: boolean): unknown {
  const { $ref, type, enum: [first] = [], examples: [example] = [], minimum = 1, items, ...rest } = schema
  if ($ref !== undefined) return sampleOf(document.components.schemas[$ref.split('/').at(-1)!]!, required)
  const value = example ?? rest.default ?? first
  if (value !== undefined || !required) return value
  if (type === 'array') return [sampleOf(items!, true)]
  return type === 'integer' ? minimum : 'text'
}

test('the types of the client accept each operation with the examples of the reference', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const reported = await promisify(execFile)(process.execPath, [compiler, '-p', dir]).then(
    () => '',
    ({ stdout }) => stdout,
  )
  expect(reported).toBe('')
})

test('the client sends each operation with its method, path, query and body', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [file], { maxBuffer: 100_000_000 })
  const received = new Map<string, Received>(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  expect([...received.keys()]).toEqual(calls.map(({ operation }) => operation))
  expect(calls.length).toBeGreaterThan(300)
  for (const { operation, method, path, params, media, example } of calls) {
    const sent = received.get(operation)!
    const target = new URL(sent.target, 'http://127.0.0.1')
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params.path[name])))
    expect([operation, sent.method, target.pathname]).toEqual([operation, method, filled])
    const query = Object.entries(params.query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, String(each)]),
    )
    expect([operation, [...target.searchParams]]).toEqual([operation, query])
    if (media.includes('application/json')) expect([operation, JSON.parse(sent.body)]).toEqual([operation, example])
    expect([operation, sent.contentType]).toEqual([operation, expect.stringContaining(sentMedia(media))])
  }
})

const sentMedia = (media: string[]) => (media.includes('application/json') ? 'application/json' : (media[0] ?? ''))
