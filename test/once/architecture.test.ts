import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { getTableName, is, Table } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as schema from '../../db/schema.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync('{api,workers,shared,db,test}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/*.d.ts', 'api/console/built*'],
}).sort()
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const importPattern = /(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g
const imports = new Map(
  files.map((file) => [
    file,
    [...textOf(file).matchAll(importPattern)].map(([, to = '']) => relative(root, join(root, dirname(file), to))),
  ]),
)
const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
const product = edges.filter(({ from }) => !from.startsWith('test/'))

/** Imports out of `folder` to anything but what is allowed. */
function strays(folder: string, ...allowed: string[]) {
  return product.filter(({ from, to }) => from.startsWith(folder) && !allowed.some((each) => to.startsWith(each)))
}

test('shared imports nothing of ours, db imports shared, api and workers never each other', () => {
  expect(strays('shared/', 'shared/', 'package.json')).toEqual([])
  expect(strays('db/', 'db/', 'shared/')).toEqual([])
  expect(strays('api/', 'api/', 'db/', 'shared/')).toEqual([])
  expect(strays('workers/', 'workers/', 'db/', 'shared/')).toEqual([])
})

test('the HTTP kernel knows no business word', () => {
  expect(strays('api/http/', 'api/http/', 'shared/', 'db/page.ts')).toEqual([])
})

test("no capability imports a sibling's routes", () => {
  expect(product.filter(({ from, to }) => /^api\/.*\/routes\.ts$/.test(to) && from !== 'api/routes.ts')).toEqual([])
})

test('the console in the browser has nothing of the service but the types of its API', () => {
  expect(strays('api/console/app/', 'api/console/app/')).toEqual([])
  const parts = product.filter(({ from, to }) => /app\/kit\/.* .*app\/(shell|screens)\//.test(`${from} ${to}`))
  expect(parts).toEqual([])
})

test("no area of the console styles another's classes", () => {
  const sheets = globSync('api/console/app/screens/**/*.css', { cwd: root })
  const owners = sheets.flatMap((file) =>
    [...new Set(textOf(file).match(/^\.[\w-]+/gm))].map((name) => ({ file, name })),
  )
  const shared = [...Map.groupBy(owners, ({ name }) => name)].filter(([, all]) => all.length > 1)
  expect(shared).toEqual([])
})

/** The folders of `api` that each folder may import. A loose file of `api` may import every folder. */
const importsAllowed: Record<string, string[]> = {
  http: [],
  proofs: ['http'],
  'relying-party': ['http'],
  access: ['http', 'proofs', 'relying-party'],
  audit: ['http'],
  analytics: ['http'],
  cli: ['http', 'access', 'console', 'issuance', 'operations'],
  tenancy: [...below()],
  identifiers: [...below(), 'tenancy'],
  certificates: [...below(), 'tenancy'],
  status: [...below(), 'tenancy', 'certificates', 'identifiers'],
  messaging: [...below(), 'identifiers'],
  credentials: [...below(), 'status', 'certificates', 'identifiers', 'messaging'],
  operations: [...below(), 'tenancy', 'status'],
  issuance: [...below(), 'proofs', 'relying-party', 'status', 'certificates', 'identifiers', 'tenancy'],
  ecosystems: [...below(), 'status', 'certificates', 'identifiers', 'tenancy'],
  console: [...below(), 'relying-party', 'tenancy', 'operations'],
}

/** What every domain may import. */
function below(): string[] {
  return ['http', 'access', 'audit']
}

test('every file of api imports only the folders that its own folder may import', () => {
  const inApi = product.filter(({ from, to }) => from.startsWith('api/') && to.startsWith('api/'))
  const forbidden = inApi.filter(({ from, to }) => {
    const [left, right] = [folderOf(from), folderOf(to)]
    // Loose files assemble the application. The rest of api imports only the types of its parts from them.
    if (left === undefined || left === right) return false
    if (right === undefined) return left !== 'cli' && to !== 'api/deps.ts'
    return !importsAllowed[left]?.includes(right)
  })
  expect(forbidden).toEqual([])
})

test('the folders of api and the capabilities in them have no import cycles', () => {
  for (const unitOf of [folderOf, capabilityOf]) {
    const between = product.flatMap(({ from, to }) => {
      const [left, right] = [unitOf(from), unitOf(to)]
      return left && right && left !== right ? [{ left, right }] : []
    })
    const byUnit = Map.groupBy(between, ({ left }) => left)
    const units = new Map([...byUnit].map(([unit, all]) => [unit, all.map(({ right }) => right)]))
    expect(findCycle(units)).toBeUndefined()
  }
})

/** `api/issuance/token/grants/grant.ts` is in the folder `issuance`. Undefined for a loose file of `api`. */
function folderOf(file: string): string | undefined {
  return /^api\/([\w-]+)\//.exec(file)?.[1]
}

/** `api/issuance/token/grants/grant.ts` is in the capability `issuance/token`. Undefined for a loose file of a domain. */
function capabilityOf(file: string): string | undefined {
  return /^api\/([\w-]+\/[\w-]+)\//.exec(file)?.[1]
}

test('only the signing worker and what starts it have the keyring', () => {
  const holders = /^workers\/(signing\/.*|run-worker\.ts|start\.ts)$/
  const outside = product.filter(({ from, to }) => to === 'workers/signing/keyring.ts' && !holders.test(from))
  expect(outside).toEqual([])
})

test('no file imports itself by way of others', () => {
  expect(findCycle()).toBeUndefined()
})

test('what a process keeps is in its deps, but for what follows from the key alone', () => {
  const ofModule = /^(?:export )?(?:const|let) \w+\b.*\bnew (?:LRUCache|WeakMap)\b/m
  const keepers = files.filter((file) => !file.startsWith('test/') && ofModule.test(textOf(file)))
  expect(keepers).toEqual([
    'api/access/client-address.ts',
    'api/http/known-members.ts',
    'api/http/secrets.ts',
    'db/engine/postgres-query.ts',
    'db/engine/postgres.ts',
    'db/hold.ts',
    'shared/formats/certificate.ts',
    'shared/formats/json-ld.ts',
    'shared/formats/jwk.ts',
  ])
})

test('files are short', () => {
  const sheets = globSync('api/console/app/**/*.css', { cwd: root })
  const tooLong = [...files, ...sheets].filter(
    (file) => textOf(file).split('\n').length - 1 > (file.startsWith('test/') ? 400 : 300),
  )
  expect(tooLong).toEqual([])
})

test('every table belongs to tenants but these', () => {
  const shared = Object.values(schema).filter((each) => is(each, Table) && !('tenantId' in each))
  expect(shared.map((table) => getTableName(table as Table)).sort()).toEqual(['outbox', 'tenants', 'walks'])
})

test('what lies outside of this folder is used by tests alone, which skip where it is missing', () => {
  const outside = /\.\.\/shared\/samples|\/work\//
  const users = files.filter((file) => file !== 'test/once/architecture.test.ts' && outside.test(textOf(file)))
  expect(users.filter((file) => !file.startsWith('test/') || !/skipIf|\.skip\(/.test(textOf(file)))).toEqual([])
})

/** The first chain of imports that leads back to where it began. */
function findCycle(graph: ReadonlyMap<string, string[]> = imports): string[] | undefined {
  const done = new Set<string>()
  function visit(file: string, chain: string[]): string[] | undefined {
    if (chain.includes(file)) return [...chain.slice(chain.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...chain, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}
