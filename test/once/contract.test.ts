import { expect, test } from 'vitest'
import type { Access } from '../../api/http/route.ts'
import { routes } from '../../api/routes.ts'
import { built } from '../harness/contract-rows.ts'

/** The callers of an operation, by the name in the rows. */
const access: Record<string, string> = {
  public: 'anyone',
  wallet: 'a wallet',
  everybody: 'admin approver auditor dts-consumer dts-provider holder issuer managed-issuer platform verifier',
  platform: 'platform',
  admin: 'admin',
  clients: 'admin platform',
  issuing: 'admin issuer managed-issuer',
  searching: 'admin auditor dts-consumer dts-provider issuer managed-issuer verifier',
  verifying: 'admin verifier',
  trust: 'admin dts-provider',
  tenantRoles: 'admin approver auditor dts-consumer dts-provider holder issuer managed-issuer verifier',
  trustRead: 'admin dts-consumer dts-provider',
  overview: 'admin auditor dts-consumer dts-provider issuer managed-issuer',
  overviewIssuing: 'admin auditor issuer managed-issuer',
  overviewTrust: 'admin auditor dts-consumer dts-provider',
  dids: 'admin dts-provider issuer managed-issuer verifier',
  approvals: 'admin approver issuer managed-issuer',
  approving: 'admin approver',
  audit: 'admin auditor',
  proof: 'admin auditor platform',
  holder: 'admin holder',
}

interface Row {
  /** Method and path. */
  operation: string
  access: string
  event: string
}

function parseRows(text: string): Row[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [method, path, who = '', event = ''] = line.split(' ')
      return { operation: `${method} ${path}`, access: access[who] ?? `unknown: ${who}`, event }
    })
}

const documented = routes.filter(({ undocumented }) => !undocumented)
const operations: Row[] = documented.map(({ method, path, access: allowed, event }) => ({
  operation: `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  access: wordsOf(allowed),
  event: event ?? '-',
}))

function wordsOf(allowed: Access): string {
  if (allowed.kind === 'operators') return wordsOfRoles(allowed.roles)
  return allowed.kind === 'wallet' ? 'a wallet' : 'anyone'
}

/** The contract has neither of these roles. test/api/access/viewer.test.ts and helpdesk.test.ts have their operations. */
function wordsOfRoles(roles: readonly string[]): string {
  const ofContract = roles.filter((role) => role !== 'viewer' && role !== 'helpdesk')
  return ofContract.toSorted().join(' ')
}

test.each(parseRows(built).map((row) => [row.operation, row] as const))(
  "%s has the contract's roles and events",
  (operation, row) => {
    expect(operations.filter((each) => each.operation === operation)).toEqual([row])
  },
)

test('every operation is in the contract', () => {
  const listed = new Set(parseRows(built).map(({ operation }) => operation))
  expect(operations.filter(({ operation }) => !listed.has(operation))).toEqual([])
})

test('every row occurs once and names its callers', () => {
  const rows = parseRows(built)
  expect(new Set(rows.map(({ operation }) => operation)).size).toBe(rows.length)
  expect(rows.filter((row) => row.access.startsWith('unknown') || row.event === '')).toEqual([])
})

test('operation names are unique', () => {
  expect(new Set(routes.map(({ operation }) => operation)).size).toBe(routes.length)
})
