import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials } from '../../../db/tables/issuance/credentials.ts'
import { newIaca, signersPath } from '../../certificates/hierarchy.ts'
import {
  compactConfiguration,
  mdlClaims,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
} from '../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../harness/harness.ts'
import { newCredentials, newList } from '../../harness/revocable.ts'
import { newWallet } from '../../wallets/wallet.ts'

const bulks = '/v2/credentials/revocation-status'
const issued = '/v2/credentials/issued'
let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface Listed {
  id: string
  userId: string
  profile: string
  signerId?: string
  status: string
}
const listOf = async (query: string, { operator } = service): Promise<Listed[]> =>
  (await operator.get(`${issued}?${query}`)).body.data

async function revoke(filter: object) {
  const { status, body } = await service.operator.post(bulks, { filter, isRevoked: true })
  expect(status).toBe(202)
  const done = await eventually(async () => {
    const { body: state } = await service.operator.get(`${bulks}/${body.id}`)
    return state.state === 'done' && state
  })
  return { accepted: body.accepted, total: done.total }
}

test('the record of a credential names the certificate or the key that signed it', async () => {
  const tenant = await service.addTenant({ publicClients: true })
  await newIaca(tenant)
  const made = {
    mobile: await mdlConfiguration(tenant),
    'sd-jwt': await sdJwtConfiguration(tenant, { claimMappings: { given_name: { mapFrom: 'claims.given_name' } } }),
    compact: await compactConfiguration(tenant),
  }
  for (const configurationId of Object.values(made)) {
    const { uri } = await newOffer(tenant, [configurationId], { claims: mdlClaims })
    const wallet = await newWallet(tenant, service.origin, uri)
    expect(await wallet.collect()).toMatchObject({ status: 200 })
  }
  const idsAt = async (path: string) => (await tenant.operator.get(path)).body.data.map(({ id }: { id: string }) => id)
  const signers = {
    mobile: await idsAt(signersPath('document-signer')),
    'sd-jwt': await idsAt(signersPath('sd-jwt-signer')),
    compact: await idsAt('/v1/keys'),
  }
  const records = await listOf('', { ...service, operator: tenant.operator })
  expect(records).toHaveLength(3)
  for (const { profile, signerId, id, userId } of records) {
    expect(signers[profile as keyof typeof signers]).toContain(signerId)
    expect((await tenant.operator.get(`${issued}/${id}`)).body.signerId).toBe(signerId)
    const { body } = await tenant.operator.get(`/v1/users/${userId}/credentials`)
    expect(body.data).toMatchObject([{ signerId }])
    expect(await listOf(`signerId=${signerId}`, { ...service, operator: tenant.operator })).toMatchObject([{ id }])
    // The signer of another tenant has signed nothing here.
    expect(await listOf(`signerId=${signerId}`)).toEqual([])
  }
})

test('everything that a signer has signed is revoked, and nothing else', async () => {
  const { db } = service.deps
  const listId = await newList(service, service.id)
  const members = { listId, configurationId: randomUUID(), issuedAt: new Date('2026-03-01') }
  const made = await newCredentials(service, service.id, { ...members, count: 1_200 })
  const ids = made.map(({ credentialId }) => credentialId).sort()
  const [leaked, other] = [ids.filter((_, at) => at % 400 === 7), ids.filter((_, at) => at % 400 === 9)]
  const mark = (signerId: string, of: string[]) =>
    db.tx((tx) =>
      tx
        .update(credentials)
        .set({ signerId })
        .where(and(eq(credentials.tenantId, service.id), inArray(credentials.id, of))),
    )
  await mark('leaked-signer', leaked)
  await mark('other-signer', other)
  const pass = { payload: { type: 'Pass' }, revocable: true }
  const direct = (await service.operator.post('/v2/credentials/compact/sign', pass)).body.id

  expect(await revoke({ signerId: 'leaked-signer' })).toEqual({ accepted: 3, total: 3 })
  const revoked = await listOf('state=revoked&limit=1000')
  expect(revoked.map(({ id }) => id).sort()).toEqual(leaked)

  // The key that signed directly, within a period.
  const { data } = (await service.operator.get('/v1/keys')).body
  const keys = data.filter(({ purpose }: { purpose: string }) => purpose === 'credentials')
  const path = `/v2/credentials/compact/${direct}/revocation-status`
  await Promise.all(keys.map(({ id: signerId }: Listed) => revoke({ signerId, issuedFrom: '2026-04-01' })))
  expect((await service.operator.get(path)).body).toEqual({ isRevoked: true })
  expect(await listOf('state=revoked&limit=1000')).toHaveLength(3)
})

test('a signer that is no id is refused with the field', async () => {
  const answer = await service.operator.post(bulks, { filter: { signerId: 'CN=Signer, C=DE' }, isRevoked: true })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain('filter.signerId')
})
