import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StatusListKind, statusLists } from '../../../db/tables/status/lists.ts'
import { eventually, joinService, type SharedService } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { newCredentials, newList, newRevocable } from '../../harness/revocable.ts'
import { type RunningProvider, runProvider } from '../../servers/provider.ts'
import { callbackPath, settingsFor, signedIn } from '../console/provider-people.ts'

const bulks = '/v2/credentials/revocation-status'
let service: SharedService
let provider: RunningProvider
beforeAll(async () => {
  service = await joinService()
  provider = await runProvider({
    redirectUris: [service.baseUrl + callbackPath],
    users: [{ sub: 'ada', claims: { name: 'Ada Lovelace', groups: ['registry'] } }],
    moreClaims: ['groups'],
  })
  await service.operator.put('/v1/sign-in-provider', settingsFor(provider))
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

interface Listed {
  id: string
  type: string
  requestId: string
  managementUserId?: string
  clientId?: string
  data: { id: string; credentialIds?: string[] }
}
const auditOf = async (objectId: string): Promise<Listed[]> =>
  (await service.operator.get(`/v1/events?objectId=${objectId}&categories=AUDIT`)).body.data
const issued = async (id: string) => (await service.operator.get(`/v2/credentials/issued/${id}`)).body

async function finished(id: string) {
  return eventually(async () => {
    const { body } = await service.operator.get(`${bulks}/${id}`)
    return body.state === 'done' && body
  })
}

test('after a bulk revocation, each credential names the person who revoked it, and its events have the audit row', async () => {
  const listId = await newList(service, service.id)
  const ids = (await newCredentials(service, service.id, { listId, count: 230 })).map((each) => each.credentialId)
  const headers = await signedIn(service, 'ada')
  const answer = await service.anonymous.post(bulks, { credentials: ids, isRevoked: true }, headers)
  expect(answer.status).toBe(202)
  await finished(answer.body.id)
  const who = { managementUserId: 'ada', name: 'Ada Lovelace', requestId: answer.headers['x-request-id'] }
  for (const id of [ids[0]!, ids[150]!, ids[229]!]) {
    expect((await issued(id)).lastChange).toStrictEqual({ at: expect.any(String), ...who })
    const rows = await auditOf(id)
    expect(rows).toMatchObject([
      {
        type: 'CREDENTIAL_REVOCATION_STATUS_BULK_SET_AUDIT',
        managementUserId: 'ada',
        requestId: who.requestId,
        data: { id: answer.body.id, isRevoked: true },
      },
    ])
    expect(rows[0]!.data.credentialIds).toContain(id)
  }
  const { data } = (await service.operator.get(`/v1/events?requestIds=${who.requestId}&categories=AUDIT`)).body
  const sizes = data.map((row: Listed) => row.data.credentialIds?.length)
  expect(sizes.sort()).toEqual([100, 100, 30, undefined])
})

test.each([
  ['compact', 'revocation-status', { isRevoked: true }],
  ['compact-semantic', 'revocation-status', { isRevoked: true }],
  ['web-semantic', 'revocation-status', { isRevoked: true }],
  ['sd-jwt', 'status', { status: 'suspended' }],
  ['mobile', 'status', { status: 'invalid' }],
] as const)('a change of the status of a credential of %s names the client', async (profile, word, body) => {
  const { credentialId: id, listId } = await newRevocable(service, service.id, profile satisfies StatusListKind)
  await service.deps.db.tx((tx) => tx.update(statusLists).set({ format: 'legacy' }).where(eq(statusLists.id, listId)))
  const path = `/v2/credentials/${profile}/${id}/${word}`
  expect((await issued(id)).lastChange).toBeUndefined()
  const { headers, status } = await service.operator.post(path, body)
  expect(status).toBeLessThan(300)
  // The same status again changes nothing.
  await service.operator.post(path, body)
  const { lastChange } = await issued(id)
  expect(lastChange).toStrictEqual({
    at: expect.any(String),
    requestId: headers['x-request-id'],
    clientId: expect.any(String),
    name: expect.any(String),
  })
  expect(await auditOf(id)).toMatchObject([{ requestId: lastChange.requestId, clientId: lastChange.clientId }])
})

test('the events of a directly signed credential have who revoked it in bulk, and who undid it', async () => {
  const payload = { type: 'Pass', name: 'Ada' }
  const signing = await service.operator.post('/v2/credentials/compact/sign', { payload, revocable: true })
  const { id } = signing.body
  const path = `/v2/credentials/compact/${id}/revocation-status`
  const { body } = await service.operator.post(bulks, { credentials: [id], isRevoked: true })
  await finished(body.id)
  await service.operator.post(path, { isRevoked: false })
  const types = (await auditOf(id)).map(({ type }) => type)
  expect(types).toEqual([
    'CREDENTIAL_COMPACT_REVOCATION_SET_STATUS_AUDIT',
    'CREDENTIAL_REVOCATION_STATUS_BULK_SET_AUDIT',
  ])
  const whole = await pagesOf<Listed>(service.operator, `/v1/events?objectId=${id}&limit=1`)
  expect(whole.flat().filter(({ type }) => type.endsWith('_AUDIT'))).toHaveLength(2)
})

test('the changes of a credential of another tenant are not found', async () => {
  const other = await service.addTenant()
  const { credentialId } = await newRevocable(service, other.id)
  await other.operator.post(`/v2/credentials/compact/${credentialId}/revocation-status`, { isRevoked: true })
  expect(await auditOf(credentialId)).toEqual([])
})
