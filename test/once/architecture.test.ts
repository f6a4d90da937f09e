import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { getTableName, is, Table } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as schema from '../../db/schema.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync('{api,workers,shared,db,docs,test}/**/*.{ts,tsx}', {
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

/** Imports from `folder` that are not allowed. */
function forbiddenImports(folder: string, ...allowed: string[]) {
  return product.filter(({ from, to }) => from.startsWith(folder) && !allowed.some((each) => to.startsWith(each)))
}

/** The ceremony opens a token like a signing process. */
const ceremonyToken = 'api/cli/trustwright/ceremony/token-keys.ts'

test('shared imports only itself, db imports shared, and api and workers do not import each other, except where they run in one process and where a ceremony opens a token', () => {
  expect(forbiddenImports('shared/', 'shared/', 'package.json')).toEqual([])
  expect(forbiddenImports('db/', 'db/', 'shared/')).toEqual([])
  const ofApi = forbiddenImports('api/', 'api/', 'db/', 'shared/')
  const isAllowed = ({ from, to }: { from: string; to: string }) =>
    from.startsWith('api/combined/') ||
    (from === ceremonyToken && /^workers\/signing\/keys\/(pkcs11\/|provider\.ts$)/.test(to))
  expect(ofApi.filter((edge) => !isAllowed(edge))).toEqual([])
  expect(forbiddenImports('workers/', 'workers/', 'db/', 'shared/')).toEqual([])
  expect(forbiddenImports('api/combined/', 'api/', 'workers/', 'db/', 'shared/')).toEqual([])
})

test('the HTTP kernel imports no business code', () => {
  expect(forbiddenImports('api/http/', 'api/http/', 'shared/', 'db/page.ts')).toEqual([])
})

test("no capability imports a sibling's routes", () => {
  expect(product.filter(({ from, to }) => /^api\/.*\/routes\.ts$/.test(to) && from !== 'api/routes.ts')).toEqual([])
})

test('the console in the browser imports nothing of the service but its client, in one file, its reader of tables, its texts, its permissions and its wallet', () => {
  expect(
    forbiddenImports(
      'api/console/app/',
      'api/console/app/',
      'shared/client/',
      'shared/formats/table-file/',
      'shared/texts/',
      'shared/access/',
      'shared/wallet/',
    ),
  ).toEqual([])
  const screens = files.filter((file) => file.startsWith('api/console/app/'))
  const ofClient = /^import (?!type ).*shared\/client\//m
  expect(screens.filter((file) => ofClient.test(textOf(file)))).toEqual(['api/console/app/kit/api.ts'])
  const parts = product.filter(({ from, to }) => /app\/kit\/.* .*app\/(shell|screens)\//.test(`${from} ${to}`))
  expect(parts).toEqual([])
})

test('no screen of the console styles the classes of another', () => {
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
  process: ['http'],
  proofs: ['http'],
  'relying-party': ['http', 'process'],
  access: ['http', 'process', 'proofs', 'relying-party'],
  audit: ['http'],
  analytics: ['http'],
  combined: ['cli'],
  cli: ['http', 'access', 'console', 'issuance', 'operations', 'tenancy'],
  tenancy: [...below()],
  identifiers: [...below(), 'tenancy'],
  certificates: [...below(), 'tenancy'],
  status: [...below(), 'tenancy', 'certificates', 'identifiers'],
  messaging: [...below(), 'identifiers'],
  // Direct signing and issuance share the configurations of SD-JWT VCs.
  credentials: [...below(), 'issuance', 'status', 'certificates', 'identifiers', 'messaging'],
  // A duration is written as in configurations.
  verifier: [...below(), 'issuance'],
  operations: [...below(), 'tenancy', 'status'],
  issuance: [...below(), 'proofs', 'relying-party', 'status', 'certificates', 'identifiers', 'tenancy'],
  ecosystems: [...below(), 'status', 'certificates', 'identifiers', 'tenancy'],
  console: [...below(), 'relying-party', 'tenancy', 'operations'],
  'tenant-files': [...below(), 'issuance', 'certificates', 'ecosystems'],
  approvals: [...below(), 'issuance', 'status', 'tenancy', 'tenant-files'],
}

/** The folders that every domain may import. */
function below(): string[] {
  return ['http', 'process', 'access', 'audit']
}

test('each file of api imports only the folders that its folder may import', () => {
  const inApi = product.filter(({ from, to }) => from.startsWith('api/') && to.startsWith('api/'))
  const forbidden = inApi.filter(({ from, to }) => {
    const [left, right] = [folderOf(from), folderOf(to)]
    // Loose files assemble the application. The rest of api imports only `api/deps.ts` from them.
    if (left === undefined || left === right) return false
    if (right === undefined) return left !== 'cli' && left !== 'combined' && to !== 'api/deps.ts'
    return !importsAllowed[left]?.includes(right)
  })
  expect(forbidden).toEqual([])
})

/**
 * The folders of `api` from the bottom to the top. The loose files assemble the application, except `api/deps.ts`, which has the
 * dependencies of all. `cli` and `combined` have programs that run what the loose files assemble.
 */
const layers = [
  ...['http', 'process', 'proofs', 'relying-party', 'audit', 'analytics', 'access', 'tenancy', 'identifiers'],
  ...['certificates', 'status', 'messaging', 'operations', 'issuance', 'credentials', 'verifier', 'ecosystems'],
  ...['console', 'tenant-files', 'approvals', 'loose files', 'cli', 'combined'],
]

test('no file of api imports a file of a higher layer', () => {
  const layerOf = (file: string) =>
    layers.indexOf(file === 'api/deps.ts' ? 'process' : (folderOf(file) ?? 'loose files'))
  const inApi = product.filter(({ from, to }) => from.startsWith('api/') && to.startsWith('api/'))
  expect(Object.keys(importsAllowed).every((folder) => layers.includes(folder))).toBe(true)
  expect(inApi.filter(({ from, to }) => layerOf(from) < layerOf(to))).toEqual([])
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

test('only the signing worker and the code that starts it import the keyring', () => {
  const holders = /^(workers\/(signing\/.*|run-worker\.ts|start\.ts)|api\/combined\/run-roles\.ts)$/
  const outside = product.filter(
    ({ from, to }) => /^workers\/signing\/keys\/(keyring|software-keys|wrapping)\.ts$/.test(to) && !holders.test(from),
  )
  expect(outside).toEqual([])
})

/** The files outside of `workers/signing/keys` that create private keys of their own: keys of rehearsals, of the console's wallet, of development and of moves. */
const ownPrivateKeys = [
  'api/cli/trustwright/ceremony/ceremony-keys.ts',
  'db/moves/receiver.ts',
  'shared/formats/jwm/key-agreement.ts',
  'shared/formats/jwm/seal-message.ts',
  'shared/launcher/identity-provider-facts.ts',
  'shared/wallet/keys.ts',
]
/** The files that name the column of wrapped private keys. */
const wrappedKeyFiles = [
  'db/repos/identifiers/key-wrapping.ts',
  'db/sealed-columns.ts',
  'db/tables/identifiers/keys.ts',
]

test('only workers/signing/keys opens stored private keys, and no other file has a private key of the service', () => {
  const outside = files.filter((file) => !/^(test|docs|workers\/signing\/keys)\//.test(file))
  const naming = (pattern: RegExp) => outside.filter((file) => pattern.test(textOf(file)))
  expect(naming(/\bcreatePrivateKey\b/)).toEqual([])
  expect(naming(/\bwrappedPrivateKey\b|\bwrapped_private_key\b/)).toEqual(wrappedKeyFiles)
  expect(naming(/\bprivateKey\b/)).toEqual(ownPrivateKeys)
})

test('no file imports itself through other files', () => {
  expect(findCycle()).toBeUndefined()
})

test('module-level caches exist only in files whose cached values follow from the key', () => {
  const ofModule = /^(?:export )?(?:const|let) \w+\b.*\bnew (?:LRUCache|WeakMap)\b/m
  const keepers = files.filter((file) => !file.startsWith('test/') && ofModule.test(textOf(file)))
  expect(keepers).toEqual([
    'api/access/client-address.ts',
    'api/http/compiled-schemas.ts',
    'api/http/known-members.ts',
    'api/http/secrets.ts',
    'api/http/slow-bodies.ts',
    'db/engine/postgres-query.ts',
    'db/engine/postgres.ts',
    'db/find-row.ts',
    'shared/formats/certificate.ts',
    'shared/formats/cose.ts',
    'shared/formats/json-ld.ts',
    'shared/formats/jwk.ts',
    'shared/formats/x5c.ts',
  ])
})

test('each cache and each service of a domain has a name of its own', () => {
  const names = files.flatMap((file) =>
    [...textOf(file).matchAll(/\bdefine(?:Cache|TenantCache|Service)(?:<.*>)?\('(\w+)'/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('no file exceeds its line limit', () => {
  const sheets = globSync('api/console/app/**/*.css', { cwd: root })
  const tooLong = [...files, ...sheets].filter(
    (file) => textOf(file).split('\n').length - 1 > (file.startsWith('test/') ? 400 : 300),
  )
  expect(tooLong).toEqual([])
})

test('no function or class exceeds its line limit', () => {
  const product = files.filter((file) => !file.startsWith('test/'))
  expect(product.flatMap(longDeclarations)).toEqual([])
})

/** The functions of a file with more than 60 lines, and its classes with more than 110. */
function longDeclarations(file: string): string[] {
  const lines = textOf(file).split('\n')
  return lines.flatMap((line, start) => {
    const [, name = '', kind] = /^(?:export )?(?:default )?((?:async )?(function|class|const) \w+)/.exec(line) ?? []
    // Biome formats the code: what begins in the first column ends at the next line with nothing but a brace.
    const isDeclared = kind === 'const' ? line.endsWith('=> {') : kind !== undefined && !line.endsWith('}')
    const length = isDeclared ? lines.indexOf('}', start) - start + 1 : 0
    return length > (kind === 'class' ? 110 : 60) ? [`${file}: ${name} has ${length} lines`] : []
  })
}

test('every table has a tenant id except the listed ones', () => {
  const shared = Object.values(schema).filter((each) => is(each, Table) && !('tenantId' in each))
  expect(shared.map((table) => getTableName(table as Table)).sort()).toEqual([
    ...['key_comparisons', 'outbox', 'tenants', 'walks'],
  ])
})

test('only tests use files outside of the project, and skip if the files are missing', () => {
  const outside = /\.\.\/shared\/samples|\/work\//
  const users = files.filter((file) => file !== 'test/once/architecture.test.ts' && outside.test(textOf(file)))
  expect(
    users.filter((file) => !file.startsWith('test/') || !/tags: \[?'samples'|isMet: existsSync/.test(textOf(file))),
  ).toEqual([])
})

/** The first import cycle. */
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

test('few files lie loose beside the folders of the tiers', () => {
  const looseIn = (folder: string) => files.filter((file) => dirname(file) === folder)
  expect(looseIn('shared').length).toBeLessThanOrEqual(12)
  expect(looseIn('workers').length).toBeLessThanOrEqual(6)
})
