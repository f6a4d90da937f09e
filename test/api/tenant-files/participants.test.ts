import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
let pems: string[]
beforeAll(async () => {
  service = await joinService()
  const names = ['One', 'Two', 'Three']
  pems = await Promise.all(names.map(async (name) => pemOf(await newCertificate({ name, ca: true }))))
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const at = 'ecosystems/nz'
const agencyFile = `${at}/participants/agency`
const type = (name: string) => ({ profile: 'mobile', type: `org.example.${name}`, name })
const ref = (name: string) => ({ $ref: `${at}/types/${name}` })

function filesWith(agency: object): Files {
  return {
    [`${at}/ecosystem`]: { name: 'Driving licences' },
    ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${at}/types/${name}`, type(name)])),
    [agencyFile]: { name: 'Agency', isIssuer: true, ...agency },
  }
}

/** Both roles, in an order that is not the sorted one. */
const whole = () => ({
  issuer: {
    credentialTypes: [ref('b'), ref('a')],
    certificates: [{ certificatePem: pems[1], docTypes: ['org.example.a'] }, { certificatePem: pems[0] }],
  },
  verifier: { credentialTypes: [ref('c')], certificates: [{ certificatePem: pems[0], active: false }] },
})

async function plan({ operator }: TestTenant, objects: Files, more: object = {}) {
  return operator.post('/v1/configuration/plan', { format: 1, objects, ...more })
}

async function apply(tenant: TestTenant, objects: Files, more: object = {}) {
  const { status, body } = await plan(tenant, objects, more)
  expect([status, body.details]).toEqual([200, undefined])
  const bundle = { format: 1, objects, ...more, basedOn: body.basedOn }
  return tenant.operator.post('/v1/configuration/apply', bundle)
}

async function participantPath({ operator }: TestTenant): Promise<string> {
  const [{ id: ecosystemId }] = (await operator.get('/v1/ecosystems')).body.data
  const [{ id }] = (await operator.get(`/v1/ecosystems/${ecosystemId}/participants`)).body.data
  return `/v1/ecosystems/${ecosystemId}/participants/${id}`
}

/** Returns what REST shows below the participant of the files. */
async function partsOf(tenant: TestTenant) {
  const path = await participantPath(tenant)
  const list = async (name: string) => (await tenant.operator.get(`${path}/${name}`)).body.data
  const typesOf = async (role: string) =>
    (await list(`${role}/credentials`)).map(({ name }: { name: string }) => name).sort()
  const certificatesOf = async (role: string) =>
    (await list(`${role}-certificates`)).map(
      ({ certificatePem, docTypes, active }: { certificatePem: string; docTypes?: string[]; active: boolean }) =>
        `${pems.indexOf(certificatePem)} ${docTypes ?? 'all'} ${active}`,
    )
  return {
    issuer: [await typesOf('issuer'), (await certificatesOf('issuer')).sort()],
    verifier: [await typesOf('verifier'), await certificatesOf('verifier')],
  }
}

const fieldsOf = ({ body }: { body: { changes: { fields: { path: string }[] }[] } }) => body.changes[0]?.fields

test('the file of a participant has its assigned types and certificates', async () => {
  const [first, second] = [await service.addTenant(), await service.addTenant()]
  const files = filesWith(whole())
  const typeA = `${at}/types/a`
  // The ids of the types do not have the order of their paths.
  expect(await apply(first, { ...files, [typeA]: { ...type('a'), name: 'Earlier' } })).toMatchObject({ status: 200 })
  expect(await apply(first, files)).toMatchObject({
    status: 200,
    body: { changes: [{ op: 'replace' }, { op: 'update' }] },
  })
  expect(await partsOf(first)).toEqual({
    issuer: [
      ['a', 'b'],
      ['0 all true', '1 org.example.a true'],
    ],
    verifier: [['c'], ['0 all false']],
  })
  expect((await plan(first, files, { prune: true })).body.changes).toEqual([])
  const { objects } = (await first.operator.get('/v1/configuration')).body
  expect(objects[agencyFile]).toMatchObject({
    issuer: {
      credentialTypes: [ref('a'), ref('b')],
      certificates: expect.arrayContaining([{ certificatePem: pems[0] }]),
    },
    verifier: { credentialTypes: [ref('c')], certificates: [{ certificatePem: pems[0], active: false }] },
  })
  expect(await apply(second, objects)).toMatchObject({ status: 200 })
  const again = (await second.operator.get('/v1/configuration')).body.objects
  expect(JSON.stringify(again)).toBe(JSON.stringify(objects))
  expect((await plan(second, objects)).body.changes).toEqual([])
})

test('an export leaves out the parts that a participant does not have', async () => {
  const tenant = await service.addTenant()
  const verifier = { certificates: [{ certificatePem: pems[0] }] }
  const files = filesWith({ verifier })
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  const { objects } = (await tenant.operator.get('/v1/configuration')).body
  expect(objects).toEqual({ ...files, tenant: expect.any(Object) })
})

test('a plan names each part that is added, changed or removed', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, filesWith(whole()))
  const path = await participantPath(tenant)
  const [before] = (await tenant.operator.get(`${path}/verifier-certificates`)).body.data
  const next = filesWith({
    issuer: { credentialTypes: [ref('c'), ref('a')], certificates: [{ certificatePem: pems[0] }] },
    verifier: { certificates: [{ certificatePem: `${pems[0]}\n` }, { certificatePem: pems[2] }] },
  })
  const planned = await plan(tenant, next)
  expect(planned.body.changes).toMatchObject([
    { op: 'update', path: agencyFile, isDestructive: true, why: expect.stringContaining('certificate') },
  ])
  expect(fieldsOf(planned)).toEqual([
    { path: 'issuer.credentialTypes', from: ref('b') },
    { path: 'issuer.credentialTypes', to: ref('c') },
    { path: 'issuer.certificates', from: { certificatePem: pems[1], docTypes: ['org.example.a'], active: true } },
    { path: 'verifier.credentialTypes', from: ref('c') },
    { path: 'verifier.certificates', to: { certificatePem: pems[2], docTypes: null, active: true } },
    { path: 'verifier.certificates.0.active', from: false, to: true },
  ])
  expect(await apply(tenant, next)).toMatchObject({ status: 200 })
  expect(await partsOf(tenant)).toEqual({
    issuer: [['a', 'c'], ['0 all true']],
    verifier: [[], ['0 all true', '2 all true']],
  })
  const [after] = (await tenant.operator.get(`${path}/verifier-certificates`)).body.data
  expect(after.id).toBe(before.id)
  expect((await plan(tenant, next)).body.changes).toEqual([])
  expect(await apply(tenant, filesWith({}))).toMatchObject({ status: 200 })
  expect(await partsOf(tenant)).toEqual({ issuer: [[], []], verifier: [[], []] })
})

test('each part has the audit of its operation, and unchanged members have none', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, filesWith({}))
  const of = async (types: string) => (await tenant.operator.get(`/v1/events?types=${types}`)).body.data
  await apply(tenant, filesWith(whole()))
  await eventually(async () => (await of('ECOSYSTEM_PARTICIPANT_VERIFIER_CERTIFICATE_CREATE_AUDIT')).length === 1)
  expect(await of('ECOSYSTEM_PARTICIPANT_ISSUER_CERTIFICATE_CREATE_AUDIT')).toHaveLength(2)
  expect(await of('ECOSYSTEM_ISSUER_POLICY_CREATE_AUDIT')).toHaveLength(2)
  expect(await of('ECOSYSTEM_VERIFIER_POLICY_CREATE_AUDIT')).toHaveLength(1)
  expect(await of('ECOSYSTEM_PARTICIPANT_UPDATE_AUDIT')).toEqual([])
  await apply(tenant, filesWith({ ...whole(), verifier: { certificates: whole().verifier.certificates } }))
  await eventually(async () => (await of('ECOSYSTEM_VERIFIER_POLICY_DELETE_AUDIT')).length === 1)
  expect(await of('ECOSYSTEM_PARTICIPANT_VERIFIER_CERTIFICATE_UPDATE_AUDIT')).toEqual([])
  expect(await of('ECOSYSTEM_PARTICIPANT_ISSUER_CERTIFICATE_UPDATE_AUDIT')).toEqual([])
})

test('a credential type that is created again stays assigned', async () => {
  const tenant = await service.addTenant()
  const files = filesWith(whole())
  await apply(tenant, files)
  const renamed = { ...files, [`${at}/types/b`]: { ...type('b'), name: 'Other' } }
  const applied = await apply(tenant, renamed)
  expect(applied.body.changes).toMatchObject([
    { op: 'replace', path: `${at}/types/b` },
    { op: 'update', path: agencyFile, fields: [{ path: 'issuer.credentialTypes.0', from: ref('b'), to: ref('b') }] },
  ])
  expect((await partsOf(tenant)).issuer[0]).toEqual(['Other', 'a'])
  const { [`${at}/types/b`]: _type, ...fewer } = filesWith({ issuer: { credentialTypes: [ref('a')] } })
  expect(await apply(tenant, fewer, { prune: true })).toMatchObject({ status: 200 })
  expect((await partsOf(tenant)).issuer[0]).toEqual(['a'])
})

test('the parts of a participant are changed while the folder of its ecosystem is renamed', async () => {
  const tenant = await service.addTenant()
  await apply(tenant, filesWith(whole()))
  const { issuer } = whole()
  const files = filesWith({ issuer: { ...issuer, certificates: [{ certificatePem: pems[2] }] } })
  const renamed: Files = JSON.parse(JSON.stringify(files).replaceAll(`${at}/`, 'ecosystems/aotearoa/'))
  const applied = await apply(tenant, {
    ...renamed,
    'ecosystems/aotearoa/ecosystem': { name: 'Driving licences', movedFrom: `${at}/ecosystem` },
  })
  expect([applied.status, applied.body.details]).toEqual([200, undefined])
  expect((await partsOf(tenant)).issuer).toEqual([['a', 'b'], ['2 all true']])
})

test('a part that changed after the plan is refused', async () => {
  const tenant = await service.addTenant()
  const files = filesWith(whole())
  await apply(tenant, files)
  const path = await participantPath(tenant)
  const { basedOn } = (await plan(tenant, files)).body
  const [{ id }] = (await tenant.operator.get(`${path}/issuer/credentials`)).body.data
  const late = async () => tenant.operator.post('/v1/configuration/apply', { format: 1, objects: files, basedOn })
  const refused = { status: 412, body: { details: [{ param: `basedOn.${agencyFile}` }] } }
  await tenant.operator.delete(`${path}/issuer/credentials/${id}`)
  expect(await late()).toMatchObject(refused)
  await tenant.operator.post(`${path}/issuer/credentials`, { credentialId: id })
  expect(await late()).toMatchObject({ status: 200 })
  const [certificate] = (await tenant.operator.get(`${path}/verifier-certificates`)).body.data
  await tenant.operator.put(`${path}/verifier-certificates/${certificate.id}`, { active: true })
  expect(await late()).toMatchObject(refused)
})

test('faults of parts have the path of the member', async () => {
  const tenant = await service.addTenant()
  const wrong = filesWith({
    issuer: {
      credentialTypes: [ref('a'), ref('none'), { $ref: at }, '00000000-0000-4000-8000-000000000000', ref('a')],
      certificates: [{ certificatePem: 'x' }],
      typo: 1,
    },
    verifier: { certificates: [{ certificatePem: pems[0] }, { certificatePem: pems[0], status: 'Active' }] },
  })
  const { status, body } = await plan(tenant, wrong)
  const faults = body.details.map(({ param, msg }: { param: string; msg: string }) => [
    param.slice(`objects.${agencyFile}.`.length),
    msg,
  ])
  expect([status, Object.fromEntries(faults)]).toEqual([
    400,
    {
      'issuer.credentialTypes.1': `No file and no object is at ${at}/types/none`,
      'issuer.credentialTypes.2': 'Must be the path of a file of the kind credential type',
      'issuer.credentialTypes.3': 'Must be {"$ref": "PATH"} with the path of the other file',
      'issuer.credentialTypes.4': 'Must not be in the list twice',
      'issuer.certificates.0.certificatePem': 'Must be one certificate in PEM',
      'issuer.typo': 'This member does not exist',
      'verifier.certificates.1': 'Must not be in the list twice',
      'verifier.certificates.1.status': 'This member does not exist',
    },
  ])
})

test('an assigned type must be of the ecosystem of the participant', async () => {
  const tenant = await service.addTenant()
  const files = {
    ...filesWith({ issuer: { credentialTypes: [{ $ref: 'ecosystems/other/types/x' }] } }),
    'ecosystems/other/ecosystem': { name: 'Other' },
    'ecosystems/other/types/x': type('x'),
  }
  expect(await plan(tenant, files)).toMatchObject({
    status: 400,
    body: {
      details: [{ param: `objects.${agencyFile}.issuer.credentialTypes.0`, msg: expect.stringMatching('same') }],
    },
  })
})

test('the limit of certificates holds, and nothing is changed', async () => {
  const tenant = await service.addTenant({ limits: { participantCertificates: 1 } })
  const refused = await apply(tenant, filesWith(whole()))
  expect(refused).toMatchObject({
    status: 409,
    body: {
      message: expect.stringContaining(agencyFile),
      details: [{ param: `objects.${agencyFile}.issuer.certificates.1` }],
    },
  })
  expect((await tenant.operator.get('/v1/ecosystems')).body.data).toEqual([])
})

test('locks of participants that files made include their parts', async () => {
  const tenant = await service.addTenant()
  const files = { ...filesWith(whole()), tenant: { name: 'Agency', lockManagedObjects: true } }
  await apply(tenant, files)
  const path = await participantPath(tenant)
  const before = await partsOf(tenant)
  const { operator } = tenant
  const [{ id: certificateId }] = (await operator.get(`${path}/issuer-certificates`)).body.data
  const [{ id: credentialId }] = (await operator.get(`${path}/issuer/credentials`)).body.data
  for (const refused of [
    await operator.post(`${path}/issuer/credentials`, { credentialId }),
    await operator.delete(`${path}/issuer/credentials/${credentialId}`),
    await operator.post(`${path}/verifier-certificates`, { certificatePem: pems[2] }),
    await operator.put(`${path}/issuer-certificates/${certificateId}`, { active: false }),
    await operator.delete(`${path}/issuer-certificates/${certificateId}`),
  ])
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('(participant agency)') } })
  expect(await partsOf(tenant)).toEqual(before)
  expect(await apply(tenant, { ...files, ...filesWith({}) })).toMatchObject({ status: 200 })
})
