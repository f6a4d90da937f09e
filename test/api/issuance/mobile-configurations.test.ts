import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsFrom, mdlClaims, mdlConfiguration, mdlNamespace, mdlType, newOffer } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v2/credentials/mobile/configurations'
const own = {
  type: 'org.example.member.1',
  claimMappings: {
    'org.example.member.1': {
      since: { mapFrom: 'claims.since', type: 'full-date', required: true, display: [{ name: 'Since' }] },
      level: { defaultValue: '3', type: 'uint' },
      courses: { mapFrom: 'claims.courses', type: { arrayOf: { members: { at: 'tdate' } } } },
    },
    'org.example.other': { since: { mapFrom: 'claims.since' } },
  },
  expiresIn: { months: 6 },
  validFrom: { mapFrom: 'claims.from' },
  validUntil: { mapFrom: 'claims.until' },
  branding: {
    name: 'Member',
    description: 'Of the club',
    backgroundColor: '#a1b2c3',
    watermarkImage: 'https://club.example/mark.png',
    issuerLogo: 'https://club.example/logo.png',
    issuerIcon: 'https://club.example/icon.png',
  },
}

test('a configuration is returned as it was written, replaced, listed by type and deleted', async () => {
  const created = await service.operator.post(path, { ...own, unknown: 'ignored' })
  expect(created).toMatchObject({ status: 201 })
  const { id } = created.body
  expect(created.body).toEqual({ id, includeStatus: false, ...own })
  expect((await service.operator.get(`${path}/${id}`)).body).toEqual(created.body)
  expect((await service.operator.get(`${path}?type=${own.type}`)).body.data).toEqual([created.body])
  expect((await service.operator.get(`${path}?type=other`)).body.data).toEqual([])
  const { branding: _branding, ...replacement } = own
  const replaced = await service.operator.put(`${path}/${id}`, replacement)
  expect(replaced).toMatchObject({ status: 200, body: { id, ...replacement } })
  expect(replaced.body).not.toHaveProperty('branding')
  expect(await service.operator.get(`/v2/credentials/compact/configurations/${id}`)).toMatchObject({ status: 404 })
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect(await service.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
})

test('a configuration in a usable offer cannot be deleted', async () => {
  const id = await mdlConfiguration(service)
  await newOffer(service, [id], { claims: mdlClaims })
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 409 })
})

const mappings = (wrong: object) => ({ claimMappings: { space: { since: { mapFrom: 'claims.since' }, ...wrong } } })

test.each([
  ['no document type', { type: undefined }, 'type'],
  ['no namespace', { claimMappings: {} }, 'claimMappings'],
  ['a namespace without a name', { claimMappings: { '': { a: { defaultValue: 'x' } } } }, 'claimMappings.'],
  [
    'mappings that are not in a namespace',
    { claimMappings: { since: { mapFrom: 'claims.since' } } },
    'claimMappings.since.mapFrom',
  ],
  ['a mapping without a source', mappings({ a: { required: true } }), 'claimMappings.space.a'],
  ['a malformed path', mappings({ a: { mapFrom: 'since' } }), 'claimMappings.space.a.mapFrom'],
  ['an unknown type', mappings({ a: { defaultValue: 'x', type: 'date-ish' } }), 'claimMappings.space.a.type'],
  ['a time without a source', { validFrom: {} }, 'validFrom.mapFrom'],
  ['a time from outside of the user data', { validUntil: { mapFrom: 'process.env' } }, 'validUntil.mapFrom'],
  ['an invalid colour', { branding: { backgroundColor: 'red' } }, 'branding.backgroundColor'],
  ['includeStatus as a string', { includeStatus: 'yes' }, 'includeStatus'],
  ['a claim source that does not exist', { claimSourceId: '00000000-0000-4000-8000-000000000000' }, 'claimSourceId'],
])('%s is refused with the name of the field', async (_what, wrong, param) => {
  const refused = await service.operator.post(path, { ...own, ...wrong })
  expect(refused).toMatchObject({
    status: 400,
    body: { message: 'Validation Error', details: [{ param, location: 'body' }] },
  })
})

test.each(['portrait', 'driving_privileges', 'un_distinguishing_sign'])(
  'a driving licence without %s is refused with the name of the element',
  async (name) => {
    const { [name]: _left, ...rest } = mappingsFrom(mdlClaims)
    const body = { type: mdlType, claimMappings: { [mdlNamespace]: rest } }
    const refusal = { status: 400, body: { details: [{ param: `claimMappings.${mdlNamespace}.${name}` }] } }
    expect(await service.operator.post(path, body)).toMatchObject(refusal)
    expect(await service.operator.put(`${path}/${await mdlConfiguration(service)}`, body)).toMatchObject(refusal)
  },
)

test('a photo ID requires one of the names that its drafts gave to an element', async () => {
  const names = [
    'family_name',
    'given_name',
    'birth_date',
    'portrait',
    'issue_date',
    'expiry_date',
    'issuing_country',
    'age_over_18',
  ]
  const space = mappingsFrom(Object.fromEntries(names.map((name) => [name, ''])))
  const body = (extra: object) => ({
    type: 'org.iso.23220.photoid.1',
    claimMappings: { 'org.iso.23220.1': { ...space, ...extra } },
  })
  expect(await service.operator.post(path, body({}))).toMatchObject({
    status: 400,
    body: { details: [{ param: 'claimMappings.org.iso.23220.1.issuing_authority' }] },
  })
  for (const name of ['issuing_authority', 'issuing_authority_unicode']) {
    expect(await service.operator.post(path, body({ [name]: { defaultValue: 'x' } }))).toMatchObject({ status: 201 })
  }
})

test('an element of a driving licence has the type of the standard', async () => {
  const claimMappings = (type: string) => ({
    [mdlNamespace]: { ...mappingsFrom(mdlClaims), birth_date: { mapFrom: 'claims.birth_date', type } },
  })
  const refused = await service.operator.post(path, { type: mdlType, claimMappings: claimMappings('tstr') })
  expect(refused).toMatchObject({
    status: 400,
    body: { details: [{ param: `claimMappings.${mdlNamespace}.birth_date.type` }] },
  })
})

test('the metadata describes the configuration for wallets', async () => {
  const tenant = await service.addTenant()
  const { id } = (await tenant.operator.post(path, own)).body
  const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  const metadata = body.credential_configurations_supported[id]
  expect(metadata).toMatchObject({
    format: 'mso_mdoc',
    doctype: own.type,
    scope: `mso_mdoc:${own.type}`,
    credential_signing_alg_values_supported: [-7],
    cryptographic_binding_methods_supported: ['cose_key'],
    proof_types_supported: { jwt: {} },
  })
  expect(metadata).not.toHaveProperty('credential_definition')
  const { display, claims } = metadata.credential_metadata
  expect(display).toMatchObject([{ name: 'Member', logo: { uri: own.branding.issuerLogo } }])
  expect(claims).toMatchObject([
    { path: ['org.example.member.1', 'since'], mandatory: true, display: [{ name: 'Since' }] },
    { path: ['org.example.member.1', 'level'], mandatory: false, display: [{ name: 'level' }] },
    { path: ['org.example.member.1', 'courses'] },
    { path: ['org.example.other', 'since'] },
  ])
  expect(body.credentials_supported).toMatchObject([
    { format: 'mso_mdoc', doctype: own.type, claims: { 'org.example.other': { since: {} } } },
  ])
})

test('the metadata declares the elements mandatory that the document type requires', async () => {
  const tenant = await service.addTenant()
  const id = await mdlConfiguration(tenant)
  const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  const { claims } = body.credential_configurations_supported[id].credential_metadata
  const mandatory = new Map(
    claims.map(({ path, mandatory }: { path: string[]; mandatory: boolean }) => [path[1], mandatory]),
  )
  const required = ['family_name', 'given_name', 'birth_date', 'issue_date', 'expiry_date', 'issuing_country']
  for (const name of [...required, 'portrait', 'driving_privileges'])
    expect([name, mandatory.get(name)]).toEqual([name, true])
  expect([mandatory.get('age_over_18'), mandatory.get('height')]).toEqual([false, false])
})
