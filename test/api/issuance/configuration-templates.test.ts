import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseClaimPath, writePath } from '../../../shared/formats/claim-path.ts'
import { readTable } from '../../../shared/formats/table-file/read-table.ts'
import { newIaca } from '../../certificates/hierarchy.ts'
import {
  compactConfiguration,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
  await newIaca(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const pathOf = (profile: string, id: string) => `/v2/credentials/${profile}/configurations/${id}/template.csv`

/** Returns the header and the example row of a template. */
async function templateOf(profile: string, id: string): Promise<Record<string, string>> {
  const { status, body } = await service.operator.get(pathOf(profile, id))
  expect(status).toBe(200)
  async function* file() {
    yield Buffer.from(body)
  }
  const limits = { format: 'csv', maxBytes: 10_000, maxRows: 1, maxRowBytes: 10_000 } as const
  for await (const { columns, rows } of readTable(file(), limits)) {
    expect(rows).toMatchObject([{ number: 1 }])
    expect(rows[0]).not.toHaveProperty('error')
    return Object.fromEntries(columns.map((name) => [name, String(rows[0]?.values[name])]))
  }
  throw new Error('no rows')
}

/** Issues a credential with the claims of the example row. */
async function issueExample(configurationId: string, { externalId, ...cells }: Record<string, string>) {
  expect(externalId).toBe('1')
  const claims = {}
  for (const [name, cell] of Object.entries(cells)) writePath(claims, parseClaimPath(name)?.path ?? [], cell)
  const { uri } = await newOffer(service, [configurationId], { claims })
  const { status, body } = await (await newWallet(service, service.origin, uri)).collect()
  expect([status, body]).toEqual([200, expect.anything()])
}

const dayAt = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const flatMappings = {
  'First name': { mapFrom: 'claims[\'First name, "given"\']', required: true },
  city: { mapFrom: 'claims.address.locality' },
  town: { mapFrom: "claims['address'].locality" },
  level: { mapFrom: 'claims.level', defaultValue: '=1+1' },
  fixed: { defaultValue: 'x' },
  subject: { mapFrom: 'authenticationProvider.subjectId' },
}
const flatColumns = {
  'claims[\'First name, "given"\']': 'Example',
  'claims.address.locality': 'Example',
  'claims.level': "'=1+1",
}

const types = ['tstr', 'bstr', 'int', 'uint', 'bool', 'full-date', 'tdate', 'date'] as const
const mobile = {
  type: 'org.example.member.1',
  claimMappings: {
    'org.example.member.1': {
      ...Object.fromEntries(types.map((type) => [type, { mapFrom: `claims.values.${type}`, type, required: true }])),
      courses: { mapFrom: 'claims.courses', type: { arrayOf: 'tstr' } },
      address: { mapFrom: 'claims.address', type: { members: { city: 'tstr' } } },
      until: { mapFrom: 'claims.until' },
    },
  },
  validFrom: { mapFrom: 'claims.from' },
  validUntil: { mapFrom: 'claims.until' },
}

const sdJwtTypes = ['string', 'integer', 'number', 'boolean', 'date', 'date-time', 'object', 'array'] as const
const sdJwt = {
  claimMappings: {
    given_name: { mapFrom: 'claims.given_name', required: true },
    address: {
      members: { locality: { mapFrom: 'claims.city' }, lines: { members: { first: { mapFrom: 'claims.a.b' } } } },
    },
    degrees: { each: { members: { type: { mapFrom: 'claims.degrees[].type' } } } },
    whole: { mapFrom: 'claims.a' },
    values: { members: Object.fromEntries(sdJwtTypes.map((type) => [type, { mapFrom: `claims.${type}`, type }])) },
  },
  validUntil: { mapFrom: 'claims.until' },
}

const cases = {
  compact: {
    create: () => compactConfiguration(service, { claimMappings: flatMappings }),
    expected: () => flatColumns,
  },
  'compact-semantic': {
    create: () => semanticConfiguration(service, { claimMappings: flatMappings }),
    expected: () => flatColumns,
  },
  'web-semantic': {
    create: () => webConfiguration(service, { claimMappings: mappingsFrom({ given_name: '', email: '' }) }),
    expected: () => ({ 'claims.given_name': 'Example', 'claims.email': 'Example' }),
  },
  mobile: {
    create: async () => (await service.operator.post('/v2/credentials/mobile/configurations', mobile)).body.id,
    expected: () => ({
      'claims.values.tstr': 'Example',
      'claims.values.bstr': 'RXhhbXBsZQ==',
      'claims.values.int': '42',
      'claims.values.uint': '42',
      'claims.values.bool': 'true',
      'claims.values.full-date': '2001-12-31',
      'claims.values.tdate': '2001-12-31T00:00:00Z',
      'claims.values.date': '2001-12-31',
      'claims.until': dayAt(365),
      'claims.from': dayAt(-1),
    }),
  },
  'sd-jwt': {
    create: () => sdJwtConfiguration(service, sdJwt),
    expected: () => ({
      'claims.given_name': 'Example',
      'claims.city': 'Example',
      'claims.a.b': 'Example',
      'claims.string': 'Example',
      'claims.integer': '42',
      'claims.number': '1.5',
      'claims.boolean': 'true',
      'claims.date': '2001-12-31',
      'claims.date-time': '2001-12-31T00:00:00Z',
      'claims.until': dayAt(365),
    }),
  },
}

test.each(Object.entries(cases))(
  'the template of a %s configuration has its claims, and the example row can be issued',
  async (profile, { create, expected }) => {
    const id = await create()
    const template = await templateOf(profile, id)
    expect(Object.entries(template)).toEqual([['externalId', '1'], ...Object.entries(expected())])
    await issueExample(id, template)
  },
)

test('the template of a driving licence has the types of its standard, and no column for the privileges', async () => {
  const template = await templateOf('mobile', await mdlConfiguration(service))
  const { driving_privileges: _, ...claims } = mdlClaims
  expect(Object.keys(template)).toEqual(['externalId', ...Object.keys(claims).map((name) => `claims.${name}`)])
  expect(template).toMatchObject({ 'claims.birth_date': '2001-12-31', 'claims.portrait': 'RXhhbXBsZQ==' })
})

test('a template is a CSV file that a spreadsheet reads as UTF-8', async () => {
  const id = await compactConfiguration(service, { claimMappings: { Straße: { mapFrom: 'claims.straße' } } })
  const { status, headers, body } = await service.operator.get(pathOf('compact', id))
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    ...[200, 'text/csv; charset=utf-8', 'attachment; filename="template.csv"'],
  ])
  const content = '\ufeffexternalId,claims.straße\r\n1,Example\r\n'
  // The decoder of the client removes the byte order mark.
  expect([body, Number(headers['content-length'])]).toEqual([content.slice(1), Buffer.byteLength(content)])
})

test('a configuration of another profile or of no one has no template', async () => {
  const id = await compactConfiguration(service)
  for (const path of [pathOf('sd-jwt', id), pathOf('compact', '00000000-0000-4000-8000-000000000000')])
    expect(await service.operator.get(path)).toMatchObject({ status: 404 })
  expect(await service.operator.get(pathOf('compact', 'x'))).toMatchObject({ status: 400 })
})
