import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const hook = { events: ['OpenIdCredentialIssued'], url: 'https://crm.example.org/hook' }
const licence = { profile: 'mobile', type: 'org.iso.18013.5.1.mDL', name: 'Driving licence' }
const files = {
  'webhooks/crm': hook,
  'ecosystems/nz/ecosystem': { name: 'Driving licences' },
  'ecosystems/nz/types/mdl': licence,
  'ecosystems/nz/vical': { vicalProvider: 'Agency', autoPublish: { enabled: true, frequency: 'Daily' } },
  'interaction-hook': { interactionHook: { url: 'https://hook.example.org/step', claims: ['given_name'] } },
  tenant: { name: 'Agency of licences' },
}

async function apply({ operator }: TestTenant, objects: object) {
  const bundle = { format: 1, objects }
  const { body } = await operator.post('/v1/configuration/plan', bundle)
  return operator.post('/v1/configuration/apply', { ...bundle, basedOn: body.basedOn })
}

async function managedObjects({ operator }: TestTenant): Promise<{ kind: string; resource: string; name: string }[]> {
  return (await operator.get('/v1/configuration/objects')).body.data
}

test('each object that files made is listed and is found by its path', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  const listed = await managedObjects(tenant)
  expect(listed.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'VICAL configuration vical',
    'credential type mdl',
    'ecosystem nz',
    'interaction hook interaction-hook',
    'tenant tenant',
    'webhook crm',
  ])
  for (const each of listed) {
    expect(await tenant.operator.get(each.resource)).toMatchObject({ status: 200 })
    const query = `/v1/configuration/objects?resource=${encodeURIComponent(each.resource)}`
    expect((await tenant.operator.get(query)).body).toEqual({ data: [each] })
    expect((await other.operator.get(query)).body).toEqual({ data: [] })
  }
  const first = await tenant.operator.get('/v1/configuration/objects?limit=4')
  const second = await tenant.operator.get(`/v1/configuration/objects?cursor=${first.body.nextCursor}`)
  expect([...first.body.data, ...second.body.data]).toEqual(listed)
  const { id } = (await tenant.operator.post('/v1/webhooks', hook)).body
  expect((await tenant.operator.get(`/v1/configuration/objects?resource=/v1/webhooks/${id}`)).body.data).toEqual([])
})

test('a tenant with locks refuses changes of objects that files made, except by an apply', async () => {
  const tenant = await service.addTenant()
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  const before = (await tenant.operator.get('/v1/configuration')).body
  const locked = { ...files, tenant: { ...files.tenant, lockManagedObjects: true } }
  expect(await apply(tenant, locked)).toMatchObject({ status: 200 })

  for (const { kind, name, resource } of await managedObjects(tenant)) {
    if (kind === 'tenant') continue
    const { body: view } = await tenant.operator.get(resource)
    const refused = { status: 409, body: { message: expect.stringContaining(`(${kind} ${name})`) } }
    // A credential type has no PUT, the interaction hook no DELETE.
    if (kind !== 'credential type')
      expect(await tenant.operator.put(resource, writable(view)), resource).toMatchObject(refused)
    if (kind !== 'interaction hook') expect(await tenant.operator.delete(resource), resource).toMatchObject(refused)
  }
  const own = await tenant.operator.post('/v1/webhooks', hook)
  expect(await tenant.operator.put(`/v1/webhooks/${own.body.id}`, hook)).toMatchObject({ status: 200 })
  expect(await tenant.operator.delete(`/v1/webhooks/${own.body.id}`)).toMatchObject({ status: 204 })
  const after = (await tenant.operator.get('/v1/configuration')).body
  expect(after.objects).toEqual({ ...before.objects, tenant: { ...before.objects.tenant, lockManagedObjects: true } })

  const renamed = { ...locked, 'ecosystems/nz/types/mdl': { ...licence, name: 'Licence to drive' } }
  expect((await apply(tenant, renamed)).body.changes).toMatchObject([{ op: 'replace', kind: 'credential type' }])
  const { 'webhooks/crm': _crm, ...fewer } = renamed
  const pruned = { format: 1, objects: fewer, prune: true }
  const { basedOn } = (await tenant.operator.post('/v1/configuration/plan', pruned)).body
  const applied = await tenant.operator.post('/v1/configuration/apply', { ...pruned, basedOn })
  expect(applied.body.changes).toMatchObject([{ op: 'delete', kind: 'webhook' }])
  expect(await apply(tenant, { ...fewer, tenant: files.tenant })).toMatchObject({ status: 200 })
  const type = (await managedObjects(tenant)).find(({ kind }) => kind === 'credential type')?.resource ?? ''
  expect(await tenant.operator.delete(type)).toMatchObject({ status: 204 })
})

test('a locked object is not deleted with the object that contains it', async () => {
  const tenant = await service.addTenant()
  const { id } = (await tenant.operator.post('/v1/ecosystems', { name: 'Made by hand' })).body
  const { objects } = (await tenant.operator.get('/v1/configuration')).body
  const [path = ''] = Object.keys(objects).filter((each) => each.endsWith('/ecosystem'))
  const files = {
    [path.replace(/ecosystem$/, 'types/mdl')]: licence,
    tenant: { name: 'Agency', lockManagedObjects: true },
  }
  const bundle = { format: 1, objects: files, adopt: true }
  const { basedOn } = (await tenant.operator.post('/v1/configuration/plan', bundle)).body
  const applied = await tenant.operator.post('/v1/configuration/apply', { ...bundle, basedOn })
  expect([applied.status, applied.body.details]).toEqual([200, undefined])
  expect(await tenant.operator.delete(`/v1/ecosystems/${id}`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('(credential type mdl)') },
  })
  expect(await tenant.operator.put(`/v1/ecosystems/${id}`, { name: 'Renamed' })).toMatchObject({ status: 200 })
})

test('the list has the time of the last apply, also for an object that was created again', async () => {
  const tenant = await service.addTenant()
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  const timeOf = async () =>
    (await tenant.operator.get('/v1/configuration/objects')).body.data.find(
      ({ kind }: { kind: string }) => kind === 'credential type',
    ).appliedAt
  const before = await timeOf()
  service.clock.advance(60_000)
  const renamed = { ...files, 'ecosystems/nz/types/mdl': { ...licence, name: 'Licence to drive' } }
  expect((await apply(tenant, renamed)).body.changes).toMatchObject([{ op: 'replace' }])
  expect(Date.parse(await timeOf()) - Date.parse(before)).toBeGreaterThanOrEqual(60_000)
})

/** Returns a body for the PUT of a view. */
function writable({ id: _id, ecosystemId: _ecosystem, profile: _profile, ...view }: Record<string, unknown>): object {
  const { interactionHook, ...others } = view
  if (typeof interactionHook !== 'object' || interactionHook === null) return others
  return { interactionHook: { ...interactionHook, secret: undefined } }
}
