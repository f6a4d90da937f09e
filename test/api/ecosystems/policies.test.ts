import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerPolicy } from '../../../api/ecosystems/policies/published.ts'
import { createCaches } from '../../../api/process/caches.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { newEcosystem, newParticipant, newType } from './factories.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a public policy contains the state of the ecosystem at its publication, without contacts', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const latest = `${path}/policies/public/latest`
  expect(await tenant.anonymous.get(latest)).toMatchObject({ status: 404 })
  const credentialId = await newType(tenant, path)
  const identifiers = { compact: 'did:web:a.example' }
  const participant = await newParticipant(tenant, path, {
    ...{ identifiers, isIssuer: true, country: 'NZ', contacts: [{ phoneNumber: '+64 1 234' }] },
  })
  await tenant.operator.post(`${participant}/issuer/credentials`, { credentialId })
  const content = {
    policyModifiedAt: expect.any(String),
    credentials: { [credentialId]: { profile: 'compact', type: 'Licence', name: 'Licence' } },
    participants: {
      [participant.split('/').at(-1)!]: {
        ...{ name: 'Participant', identifiers, isIssuer: true, isVerifier: false, status: 'Active', country: 'NZ' },
        ...{ isIssuerConstrained: true, isVerifierConstrained: true },
        ...{ issuerCredentials: [credentialId], verifierCredentials: [] },
      },
    },
  }
  const { body: preview } = await tenant.operator.get(`${path}/preview`)
  expect(preview).toStrictEqual(content)
  const published = await tenant.operator.post(`${path}/policies`)
  expect(published).toMatchObject({ status: 201, body: { id: expect.any(String) } })
  const { policyPublishedAt } = published.body
  const before = await tenant.anonymous.get(latest)
  expect(before.body).toStrictEqual({ ...preview, policyPublishedAt })

  await tenant.operator.delete(participant)
  expect((await tenant.operator.get(`${path}/preview`)).body.participants).toEqual({})
  expect((await tenant.anonymous.get(latest)).body).toStrictEqual(before.body)
  await tenant.operator.post(`${path}/policies`)
  expect((await tenant.anonymous.get(latest)).body.participants).toEqual({})
})

test('concurrent requests for a new policy read and compress it once', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  await tenant.operator.post(`${path}/policies`)
  const { db } = service.deps
  let reads = 0
  const read = new Proxy(db.read, {
    get(target, name) {
      if (name !== 'select') return Reflect.get(target, name)
      return (fields: object) => {
        if ('content' in fields) reads++
        return Reflect.apply(target.select, target, [fields])
      }
    },
  })
  const deps = { db: { ...db, read }, caches: createCaches() }
  const [, , , ecosystemId = ''] = path.split('/')
  const requested = { tenantId: tenant.id, ecosystemId, kind: 'general', id: 'latest', param: 'ecosystemId' } as const
  const answers = await Promise.all(Array.from({ length: 10 }, () => answerPolicy(deps, requested)))
  expect(reads).toBe(1)
  expect(new Set(answers.map((answer) => answer.gzipped?.())).size).toBe(1)
})

test('a reader with the latest policy receives 304 until another one is published', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const latest = `${path}/policies/public/latest`
  await tenant.operator.post(`${path}/policies`)
  const { headers } = await tenant.anonymous.get(latest)
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' })
  const condition = { 'if-none-match': String(headers.etag) }
  expect(await tenant.anonymous.get(latest, condition)).toMatchObject({ status: 304, body: undefined })
  await tenant.operator.post(`${path}/policies`)
  expect(await tenant.anonymous.get(latest, condition)).toMatchObject({ status: 200 })
})

test('a policy contains each of many participants once', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const credentialId = await newType(tenant, path)
  const made: string[] = []
  while (made.length < 405) {
    made.push(...(await Promise.all(Array.from({ length: 27 }, () => newParticipant(tenant, path)))))
  }
  await tenant.operator.post(`${made.at(-1)}/verifier/credentials`, { credentialId })
  const { participants } = (await tenant.operator.get(`${path}/preview`)).body
  const ids = made.map((each) => each.split('/').at(-1)!)
  expect(Object.keys(participants).sort()).toEqual(ids.sort())
  expect(participants[made.at(-1)!.split('/').at(-1)!].verifierCredentials).toEqual([credentialId])
})
