import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  compactConfiguration,
  mdlConfiguration,
  sdJwtConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const secrets = { REGISTER_KEY: 'a-key-of-the-register-1' }
const register = {
  name: 'Register',
  url: { $var: 'REGISTER' },
  authorization: { type: 'api-key', value: { $secret: 'REGISTER_KEY' } },
}
const files: Files = {
  'claim-sources/register': register,
  'configurations/compact/licence': {
    type: 'Licence',
    claimMappings: { level: { defaultValue: 'B1' } },
    claimSourceId: { $ref: 'claim-sources/register' },
  },
  'webhooks/crm': { events: ['OpenIdCredentialIssued'], url: 'https://crm.example.org/hook', disabled: true },
  'ecosystems/nz/ecosystem': { name: 'Driving licences' },
  'ecosystems/nz/types/mdl': { profile: 'mobile', type: 'org.iso.18013.5.1.mDL', name: 'Driving licence' },
  'ecosystems/nz/participants/agency': { name: 'Agency', isIssuer: true, country: 'NZ' },
  'ecosystems/nz/vical': { vicalProvider: 'Agency', autoPublish: { enabled: true, frequency: 'Daily' } },
  'interaction-hook': { interactionHook: { url: 'https://hook.example.org/step', claims: ['given_name'] } },
  tenant: { name: 'Agency of licences', publicClients: true },
}

function bundle(objects: Files, more: object = {}) {
  return { format: 1, objects, secrets, variables: { REGISTER: 'https://register.example.org/q' }, ...more }
}

async function plan({ operator }: TestTenant, objects: Files, more?: object) {
  return operator.post('/v1/configuration/plan', bundle(objects, more))
}

/** Plans and applies. Returns the response of the application. */
async function apply(tenant: TestTenant, objects: Files, more?: object) {
  const { status, body } = await plan(tenant, objects, more)
  expect(status).toBe(200)
  const { basedOn, digest } = body
  return tenant.operator.post('/v1/configuration/apply', bundle(objects, { ...more, basedOn, digest }))
}

test('files create their objects with references, and the next plan is empty', async () => {
  const tenant = await service.addTenant()
  const applied = await apply(tenant, files)
  expect(applied).toMatchObject({ status: 200 })
  expect((await plan(tenant, files)).body.changes).toEqual([])
  const { data } = (await tenant.operator.get('/v2/credentials/compact/configurations')).body
  const sources = (await tenant.operator.get('/v1/claim-sources')).body.data
  expect(data).toMatchObject([{ type: 'Licence', claimSourceId: sources[0].id }])
  expect((await tenant.operator.get('/v1/webhooks')).body.data).toMatchObject([{ disabled: true }])
  expect((await tenant.operator.get('/v1/configuration')).body.objects).toMatchObject({ 'claim-sources/register': {} })
})

test('what an export has makes an equal tenant, byte by byte', async () => {
  const [first, second] = [await service.addTenant(), await service.addTenant()]
  expect(await apply(first, files)).toMatchObject({ status: 200 })
  const secretsOfExport = { CLAIM_SOURCES_REGISTER: secrets.REGISTER_KEY }
  await sdJwtConfiguration(first)
  await webConfiguration(first)
  await mdlConfiguration(first)
  await compactConfiguration(first)
  const { body: exported } = await first.operator.get('/v1/configuration')
  expect(exported.objects.tenant).toEqual(files.tenant)
  expect(JSON.stringify(exported)).not.toContain(secrets.REGISTER_KEY)
  const adopted = { secrets: secretsOfExport, adopt: true }
  expect(await apply(second, exported.objects, adopted)).toMatchObject({ status: 200 })
  const { body: again } = await second.operator.get('/v1/configuration')
  expect(JSON.stringify(again)).toBe(JSON.stringify(exported))
  expect((await plan(second, exported.objects, adopted)).body.changes).toEqual([])
  expect((await plan(first, exported.objects, adopted)).body.changes).toMatchObject(
    Array.from({ length: 4 }, () => ({ op: 'adopt', fields: [] })),
  )
})

test('a plan names each change, and secrets are compared and masked', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, files)
  const { 'webhooks/crm': hook, ...others } = files
  const changed: Files = {
    ...others,
    'claim-sources/register': { ...register, requestMethod: 'POST' },
    'ecosystems/nz/types/mdl': { profile: 'mobile', type: 'org.iso.18013.5.1.mDL', name: 'Licence to drive' },
    'webhooks/sales': { ...hook, movedFrom: 'webhooks/crm' },
    'wallets/campus': { name: 'Campus', redirectUris: ['https://wallet.example.org/cb'] },
  }
  const options = { secrets: { REGISTER_KEY: 'another-key-of-the-register' } }
  const { body } = await plan(tenant, changed, options)
  expect(body.changes).toEqual([
    {
      ...{ op: 'update', kind: 'claim source', path: 'claim-sources/register', isDestructive: false },
      why: 'The file differs from the object',
      fields: [
        { path: 'requestMethod', from: 'GET', to: 'POST' },
        { path: 'authorization.value', from: '********', to: '********' },
      ],
    },
    expect.objectContaining({ op: 'create', path: 'wallets/campus' }),
    expect.objectContaining({
      ...{ op: 'replace', path: 'ecosystems/nz/types/mdl', isDestructive: true },
      fields: [{ path: 'name', from: 'Driving licence', to: 'Licence to drive' }],
    }),
    expect.objectContaining({ op: 'move', path: 'webhooks/sales', fields: [], why: 'The file was webhooks/crm' }),
  ])
  expect(await apply(tenant, changed, options)).toMatchObject({ status: 200, body: { changes: body.changes } })
  expect((await plan(tenant, changed, options)).body.changes).toEqual([])
})

test('a member that a file adds or leaves out is an update, and a member that cannot change is not', async () => {
  const tenant = await service.addTenant()
  const path = 'configurations/compact/licence'
  const { claimSourceId, ...licence } = files[path] ?? {}
  const wallet = { name: 'Campus', redirectUris: ['https://wallet.example.org/cb'] }
  await apply(tenant, { [path]: licence, 'wallets/campus': { ...wallet, clientId: 'campus' } })
  const [before] = (await tenant.operator.get('/v2/credentials/compact/configurations')).body.data
  const longer: Files = {
    [path]: { ...licence, expiresIn: { years: 1 } },
    'wallets/campus': { ...wallet, clientId: 'other' },
  }
  expect((await apply(tenant, longer)).body.changes).toMatchObject([
    { op: 'update', path, fields: [{ path: 'expiresIn', to: { years: 1 } }] },
    { op: 'replace', path: 'wallets/campus', fields: [{ path: 'clientId', from: 'campus', to: 'other' }] },
  ])
  expect((await apply(tenant, { [path]: licence })).body.changes).toMatchObject([{ op: 'update', path }])
  const [after] = (await tenant.operator.get('/v2/credentials/compact/configurations')).body.data
  expect(after).toEqual(before)
})

test('prune deletes what files made and nothing else, and an object made by hand needs adopt', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, files)
  const byHand = { events: ['OpenIdCredentialIssued'], url: 'https://hand.example.org/' }
  await tenant.operator.post('/v1/webhooks', byHand)
  const few: Files = { 'webhooks/hand-example-org': byHand }
  expect(await plan(tenant, few)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'objects.webhooks/hand-example-org', msg: expect.stringContaining('adopt') }] },
  })
  const { body } = await plan(tenant, {}, { prune: true })
  expect(body.changes.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`)).toEqual([
    'delete webhooks/crm',
    'delete ecosystems/nz/vical',
    'delete ecosystems/nz/participants/agency',
    'delete ecosystems/nz/types/mdl',
    'delete ecosystems/nz/ecosystem',
    'delete configurations/compact/licence',
    'delete claim-sources/register',
  ])
  expect(await apply(tenant, {}, { prune: true })).toMatchObject({ status: 200 })
  expect((await tenant.operator.get('/v1/webhooks')).body.data).toMatchObject([byHand])
  expect((await tenant.operator.get('/v1/claim-sources')).body.data).toEqual([])
  expect((await apply(tenant, few, { adopt: true })).body.changes).toMatchObject([{ op: 'adopt' }])
})

test('the response has all faults at once, with file and member', async () => {
  const tenant = await service.addTenant()
  const wrong: Files = {
    'claim-sources/register': {
      ...register,
      url: { $var: 'UNKNOWN' },
      typo: 1,
      authorization: { type: 'api-key', value: 'plain' },
    },
    'configurations/compact/licence': {
      claimMappings: {},
      claimSourceId: { $ref: 'claim-sources/none' },
      type: { $secret: 'REGISTER_KEY' },
    },
    'configurations/compact/Upper': {},
    'ecosystems/none/types/mdl': { profile: 'mobile', type: 'x', name: 'X' },
    tenant: { limits: { webhooks: 1 } },
    'interaction-hook': { interactionHook: { url: 'https://hook.example.org/', renewSecret: true } },
  }
  const { status, body } = await plan(tenant, wrong)
  expect(status).toBe(400)
  expect(body.details.map(({ param }: { param: string }) => param.slice('objects.'.length)).sort()).toEqual([
    'claim-sources/register.authorization.value',
    'claim-sources/register.typo',
    'claim-sources/register.url',
    'configurations/compact/Upper',
    'configurations/compact/licence.claimSourceId',
    'configurations/compact/licence.type',
    'ecosystems/none/types/mdl',
    'interaction-hook.interactionHook.renewSecret',
    'tenant.limits',
  ])
  expect(JSON.stringify(body)).not.toContain(secrets.REGISTER_KEY)
})

test('names of variables, secrets and files that are not texts are named as faults', async () => {
  const tenant = await service.addTenant()
  const name = { toString: 1, toJSON: 1 }
  const { status, body } = await plan(tenant, {
    'claim-sources/register': {
      ...register,
      url: { $var: name },
      authorization: { type: 'api-key', value: { $secret: name } },
    },
    'configurations/compact/licence': { ...files['configurations/compact/licence'], claimSourceId: { $ref: name } },
  })
  expect(status).toBe(400)
  expect(new Set(body.details.map(({ param }: { param: string }) => param.slice('objects.'.length)))).toEqual(
    new Set([
      ...['claim-sources/register.url', 'claim-sources/register.authorization.value'],
      'configurations/compact/licence.claimSourceId',
    ]),
  )
})

test('a long variable cannot be used so often that its values fill the memory', async () => {
  const tenant = await service.addTenant()
  const names = Array.from({ length: 501 }, () => ({ $var: 'LONG' }))
  const variables = { LONG: 'x'.repeat(10_000) }
  const { status, body } = await plan(tenant, { tenant: { name: 'Agency', branding: { names } } }, { variables })
  const fault = { msg: expect.stringMatching(/5,000,000 characters/), param: 'objects.tenant.branding.names.500' }
  expect([status, body.details[0]]).toMatchObject([400, fault])
})

test('a change that is refused names its file and undoes all changes', async () => {
  const tenant = await service.addTenant()
  const url = 'https://contexts.example.org/v1'
  const objects: Files = {
    'claim-sources/register': register,
    'contexts/own': { url, document: { '@context': { '@version': 1.1, term: 5 } } },
  }
  const { body } = await plan(tenant, objects)
  const applied = await tenant.operator.post('/v1/configuration/apply', bundle(objects, { basedOn: body.basedOn }))
  expect(applied).toMatchObject({ status: 400, body: { details: [{ param: 'objects.contexts/own.document' }] } })
  expect((await tenant.operator.get('/v1/claim-sources')).body.data).toEqual([])
})

test('a plan that is out of date is refused with what changed', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, files)
  const next = { ...files, 'claim-sources/register': { ...register, name: 'Other' } }
  const { body } = await plan(tenant, next)
  const [source] = (await tenant.operator.get('/v1/claim-sources')).body.data
  await tenant.operator.put(`/v1/claim-sources/${source.id}`, { ...source, requestMethod: 'POST' })
  const late = await tenant.operator.post('/v1/configuration/apply', bundle(next, { basedOn: body.basedOn }))
  expect(late).toMatchObject({
    status: 412,
    body: { details: [{ param: 'basedOn.claim-sources/register', msg: 'Was changed after the plan' }] },
  })
  const fresh = await plan(tenant, next)
  const both = await Promise.all(
    [1, 2].map(() => tenant.operator.post('/v1/configuration/apply', bundle(next, { basedOn: fresh.body.basedOn }))),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('a plan is refused for other files, variables, secrets, options or tenants, and the response says so', async () => {
  const tenant = await service.addTenant()
  const objects: Files = { 'claim-sources/register': register, 'webhooks/crm': files['webhooks/crm'] ?? {} }
  const { basedOn, digest } = (await plan(tenant, objects)).body
  const send = (wanted: Files, more: object = {}, to: TestTenant = tenant) =>
    to.operator.post('/v1/configuration/apply', bundle(wanted, { basedOn, digest, ...more }))
  const { 'webhooks/crm': _left, ...fewer } = objects
  const other = await service.addTenant()
  for (const refused of [
    await send({ ...objects, 'claim-sources/register': { ...register, name: 'Other' } }),
    await send(fewer),
    await send({ ...objects, 'wallets/campus': { name: 'Campus', redirectUris: ['https://wallet.example.org/cb'] } }),
    await send(objects, { variables: { REGISTER: 'https://other.example.org/q' } }),
    await send(objects, { secrets: { REGISTER_KEY: 'another-key-of-the-register' } }),
    await send(objects, { prune: true }),
    await send(objects, {}, other),
  ]) {
    expect(refused).toMatchObject({
      status: 412,
      body: { message: expect.stringContaining('are not those of the plan'), details: [{ param: 'digest' }] },
    })
    expect(refused.body.details).toHaveLength(1)
  }
  expect((await tenant.operator.get('/v1/claim-sources')).body.data).toEqual([])
  expect(await apply(tenant, { 'claim-sources/register': register })).toMatchObject({ status: 200 })
  const both = await send({ ...objects, 'webhooks/crm': { ...files['webhooks/crm'], disabled: false } })
  expect(both).toMatchObject({
    status: 412,
    body: {
      details: [{ param: 'digest' }, { param: 'basedOn.claim-sources/register', msg: 'Was created after the plan' }],
    },
  })
  expect((await apply(tenant, objects)).status).toBe(200)
})

test('each change is in the audit, with the digest of the files', async () => {
  const tenant = await service.addTenant()
  const { body } = await apply(tenant, { 'claim-sources/register': register })
  const of = (type: string) => tenant.operator.get(`/v1/events?types=${type}`)
  await eventually(async () => (await of('CONFIGURATION_APPLY_AUDIT')).body.data.length === 2)
  const { data } = (await of('CONFIGURATION_APPLY_AUDIT')).body
  expect(data.map(({ data }: { data: object }) => data)).toEqual(
    expect.arrayContaining([
      { digest: body.digest, changes: 1 },
      expect.objectContaining({ digest: body.digest, path: 'claim-sources/register', operation: 'create' }),
    ]),
  )
  expect((await of('CLAIM_SOURCE_CREATE_AUDIT')).body.data).toHaveLength(1)
})

test('an IACA of files gets its key after the changes, and configurations can name it at once', async () => {
  const tenant = await service.addTenant()
  const objects: Files = {
    'iacas/root': { commonName: 'Test IACA', country: 'NZ' },
    'configurations/mobile/mdl': {
      type: 'org.example.card',
      claimMappings: { 'org.example': { given_name: { mapFrom: 'claims.given_name' } } },
    },
    'configurations/sd-jwt/card': {
      ...{ vct: 'urn:example:card', name: 'Card', claimMappings: { given_name: { mapFrom: 'claims.given_name' } } },
      signerCaId: { $ref: 'iacas/root' },
    },
  }
  expect(await apply(tenant, objects)).toMatchObject({ status: 200, body: { pending: ['iacas/root'] } })
  await eventually(async () => (await plan(tenant, objects)).body.pending.length === 0)
  expect((await plan(tenant, objects)).body.changes).toEqual([])
  const { data } = (await tenant.operator.get('/v2/credentials/mobile/iacas')).body
  expect(data).toMatchObject([{ active: true, isManaged: true, certificateData: { commonName: 'Test IACA' } }])
  const { body: exported } = await tenant.operator.get('/v1/configuration')
  expect(exported.objects['iacas/root']).toEqual(objects['iacas/root'])
  const other = { ...objects, 'iacas/root': { commonName: 'Other IACA', country: 'NZ' } }
  expect(await plan(tenant, other)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'objects.iacas/root', msg: expect.stringContaining('allowDestroy') }] },
  })
})

test('a folder that moves keeps its objects, and references follow', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, files)
  const ids = async () => (await tenant.operator.get('/v1/ecosystems')).body.data.map(({ id }: { id: string }) => id)
  const before = await ids()
  const moved = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path.replace('ecosystems/nz/', 'ecosystems/aotearoa/').replace('claim-sources/register', 'claim-sources/people'),
      JSON.parse(JSON.stringify(content).replace('claim-sources/register', 'claim-sources/people')),
    ]),
  )
  moved['ecosystems/aotearoa/ecosystem'].movedFrom = 'ecosystems/nz/ecosystem'
  moved['claim-sources/people'].movedFrom = 'claim-sources/register'
  const { body } = await apply(tenant, moved, { prune: true })
  expect(body.changes).toMatchObject([
    { op: 'move', path: 'claim-sources/people' },
    { op: 'move', path: 'ecosystems/aotearoa/ecosystem' },
  ])
  expect(await ids()).toEqual(before)
  expect((await plan(tenant, moved, { prune: true })).body.changes).toEqual([])
})

test('one object cannot move to two files, nor to another file while its own file stays', async () => {
  const tenant = await service.addTenant()
  expect(await apply(tenant, { 'claim-sources/old': register })).toMatchObject({ status: 200 })
  const moved = { ...register, movedFrom: 'claim-sources/old' }
  const twice = await plan(tenant, { 'claim-sources/a': moved, 'claim-sources/b': moved })
  expect(twice).toMatchObject({ status: 400, body: { details: [{ param: 'objects.claim-sources/b.movedFrom' }] } })
  const both = await plan(tenant, { 'claim-sources/old': register, 'claim-sources/z': moved })
  expect(both).toMatchObject({ status: 400, body: { details: [{ param: 'objects.claim-sources/z.movedFrom' }] } })
  expect(await apply(tenant, { 'claim-sources/z': moved })).toMatchObject({ status: 200 })
})

test('objects that refer to a replaced IACA get its new id', async () => {
  const tenant = await service.addTenant()
  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
  const objects = (commonName: string): Files => ({
    'iacas/root': { commonName, country: 'NZ', active: false },
    'configurations/sd-jwt/card': {
      ...{ vct: 'urn:example:card', name: 'Card', claimMappings, signerCaId: { $ref: 'iacas/root' } },
    },
  })
  const isPending = async () => (await plan(tenant, objects('One'))).body.pending.length > 0
  expect(await apply(tenant, objects('One'))).toMatchObject({ status: 200 })
  await eventually(async () => !(await isPending()))
  expect(await apply(tenant, objects('Two'), { allowDestroy: true })).toMatchObject({
    status: 200,
    body: { changes: [{ op: 'replace' }, { op: 'update', path: 'configurations/sd-jwt/card' }] },
  })
  expect((await plan(tenant, objects('Two'))).body.changes).toEqual([])
})

test('the name of a member cannot reach the prototype of all objects', async () => {
  const tenant = await service.addTenant()
  const name = '__proto__.__lookupGetter__'
  const before = Reflect.get(Object.prototype, '__lookupGetter__')
  const { status, body } = await plan(tenant, { tenant: { name: 'Agency', [name]: { $ref: 'webhooks/crm' } } })
  expect([status, body.details[0].param]).toEqual([400, `objects.tenant.${name}`])
  expect(Reflect.get(Object.prototype, '__lookupGetter__')).toBe(before)
})
