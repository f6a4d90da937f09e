import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveBulk } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { signedCredentials } from '../../../db/tables/credentials/signed-credentials.ts'
import { bulkIssuances, bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { deliveries } from '../../../db/tables/operations/deliveries.ts'
import { statusEntries } from '../../../db/tables/status/entries.ts'
import { bulkRowContext } from '../../../shared/secrets/stored-contexts.ts'
import { bulk as bulkEnds } from '../../../workers/delivery/sources/bulk.ts'
import { issuePortion } from '../../../workers/signing/bulk/issue-bulk.ts'
import {
  activeIaca,
  compactConfiguration,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { eventually, type Service, startService, tokenOf } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Configure = typeof compactConfiguration
type Bulk = Record<string, never> & { id: string; state: string }

async function newTenant(configure: Configure = compactConfiguration, extra: Record<string, unknown> = {}) {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await configure(tenant, extra)
  async function upload(lines: string[], fields: Record<string, string> = {}): Promise<string> {
    const file = csvFile(`number,given_name${fields.userIdColumn ? ',user' : ''}\n${lines.join('\n')}\n`)
    const sent = await uploadTo(operator, path, ['file', file], ...bulkFields(configurationId, fields))
    expect([sent.status, sent.body]).toEqual([202, { id: expect.any(String) }])
    return sent.body.id
  }
  const get = async (id: string): Promise<Bulk> => (await operator.get(`${path}/${id}`)).body
  const inState = (id: string, state: string) =>
    eventually(async () => {
      const bulk = await get(id)
      return bulk.state === state && bulk
    })
  const post = (id: string, verb: string) => operator.post(`${path}/${id}/${verb}`)
  async function results(id: string, accept = 'application/jsonl', more: Record<string, string> = {}, query = '') {
    const { host, clientId, clientSecret } = tenant
    const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
    const headers = { host, authorization, accept, ...more }
    const answer = await request(`${service.origin}${path}/${id}/results${query}`, { headers })
    return { answer, bytes: Buffer.from(await answer.body.arrayBuffer()) }
  }
  const credentialsOf = async (id: string) =>
    (await results(id)).bytes
      .toString()
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { tenant, operator, configurationId, upload, get, inState, post, results, credentialsOf }
}

/** An SD-JWT VC of one claim that is not bound to a key. */
const plain = { keyBinding: false, claimMappings: { given_name: { mapFrom: 'claims.given_name', required: true } } }

const rowsOf = (tenantId: string) => service.deps.db.read.select().from(bulkRows).where(eq(bulkRows.tenantId, tenantId))

describe('each valid row becomes a credential that verifies', () => {
  const withoutKey: Configure = async (tenant, extra) => {
    await activeIaca(tenant)
    return sdJwtConfiguration(tenant, { ...plain, ...extra })
  }
  const profiles: [profile: string, configure: Configure][] = [
    ['compact', compactConfiguration],
    ['compact-semantic', semanticConfiguration],
    ['web-semantic', webConfiguration],
    ['sd-jwt', withoutKey],
  ]
  test.each(profiles)('%s', async (profile, configure) => {
    const { tenant, operator, upload, inState, credentialsOf } = await newTenant(configure, { revocable: true })
    const id = await upload(['1,Ada', '2,', '3,Bob'])
    const bulk = await inState(id, 'done')
    expect(bulk).toMatchObject({ total: 3, valid: 2, invalid: 1, done: 2, failed: 0, endedAt: expect.any(String) })
    const credentials = await credentialsOf(id)
    expect(credentials).toMatchObject([
      { row: 1, externalId: '1' },
      { row: 3, externalId: '3' },
    ])
    for (const { credential, credentialId } of credentials) {
      const verified = await operator.post(`/v2/credentials/${profile}/verify`, { payload: credential })
      expect([verified.status, verified.body]).toMatchObject([200, { verified: true }])
      const entries = await service.deps.db.read
        .select()
        .from(statusEntries)
        .where(eq(statusEntries.credentialId, credentialId))
      expect(entries).toMatchObject([{ tenantId: tenant.id, status: 'valid' }])
    }
    const stored = await rowsOf(tenant.id)
    expect(stored.every(({ sealedClaims }) => sealedClaims === null)).toBe(true)
    expect(JSON.stringify(stored)).not.toContain(JSON.stringify(credentials[0].credential).slice(1, 60))
  })
})

test('results are CSV or JSON Lines, with gzip, from any row, and formulas are text', async () => {
  const { upload, inState, results } = await newTenant()
  const id = await upload(['=1+1,Ada', '@x,Bob', '3,Eve'])
  await inState(id, 'done')
  const csv = await results(id, 'text/csv')
  expect(csv.answer.headers['content-type']).toMatch(/^text\/csv/)
  const lines = csv.bytes.toString().trim().split('\r\n')
  expect(lines[0]).toBe('row,externalId,credentialId,credential')
  expect(lines.map((line) => line.split(',')[1])).toEqual(['externalId', "'=1+1", "'@x", '3'])
  const zipped = await results(id, 'text/csv', { 'accept-encoding': 'gzip' })
  expect(zipped.answer.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(zipped.bytes).equals(csv.bytes)).toBe(true)
  const rest = await results(id, 'text/csv', {}, '?afterRow=2')
  expect(rest.bytes.toString()).toBe(`${lines[3]}\r\n`)
})

test('a tenant downloads at most 4 results at once from each process', async () => {
  const { tenant, upload, inState, results } = await newTenant()
  const id = await upload(['1,Ada'])
  await inState(id, 'done')
  const { downloads } = service.deps
  const ends = Array.from({ length: 4 }, () => downloads.begin(tenant.id))
  const refused = await results(id)
  expect([refused.answer.statusCode, refused.answer.headers['retry-after']]).toEqual([429, '5'])
  const other = await newTenant()
  const othersId = await other.upload(['1,Ada'])
  await other.inState(othersId, 'done')
  expect((await other.results(othersId)).answer.statusCode).toBe(200)
  ends.pop()?.()
  // Each download ends its own place, also if it is compressed.
  for (const encoding of ['identity', 'gzip', 'identity']) {
    await eventually(async () => {
      const answer = await results(id, 'text/csv', { 'accept-encoding': encoding })
      return answer.answer.statusCode === 200
    })
  }
})

test('a bulk issuance is validated, started, paused, resumed, retried and cancelled only in the right states', async () => {
  const { tenant, upload, get, inState, post } = await newTenant()
  const id = await upload(['1,Ada'], { validateOnly: 'true' })
  await inState(id, 'ready')
  for (const verb of ['pause', 'resume', 'retry']) expect(await post(id, verb)).toMatchObject({ status: 409 })
  expect(await rowsOf(tenant.id)).toMatchObject([{ state: 'valid', credentialId: null }])
  await service.workers.stop()
  const started = await Promise.all([post(id, 'start'), post(id, 'start')])
  expect(started.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await get(id)).toMatchObject({ state: 'running', perSecond: 0 })
  expect(await post(id, 'pause')).toMatchObject({ status: 200, body: { state: 'paused' } })
  await service.workers.start()
  expect(await post(id, 'resume')).toMatchObject({ status: 200, body: { state: 'running' } })
  expect(await inState(id, 'done')).toMatchObject({ done: 1 })
  for (const verb of ['start', 'pause', 'resume', 'cancel'])
    expect(await post(id, verb)).toMatchObject({ status: 409, body: { message: expect.stringContaining('is done') } })

  const cancelled = await upload(['1,Ada', '2,Bob'], { validateOnly: 'true' })
  await inState(cancelled, 'ready')
  expect(await post(cancelled, 'cancel')).toMatchObject({ status: 200, body: { state: 'cancelled' } })
  await eventually(async () => (await rowsOf(tenant.id)).every(({ sealedClaims }) => sealedClaims === null))
  const other = await service.addTenant()
  for (const verb of ['start', 'pause', 'resume', 'cancel', 'retry'])
    expect(await other.operator.post(`${path}/${id}/${verb}`)).toMatchObject({ status: 404 })
})

test('without a signer it is paused with the reason, and continues after a resume', async () => {
  const { tenant, upload, inState, post } = await newTenant((of) => sdJwtConfiguration(of, plain))
  const id = await upload(['1,Ada'])
  const paused = await inState(id, 'paused')
  expect(paused.failure).toEqual({ code: 'no_signer', message: expect.any(String) })
  await activeIaca(tenant)
  expect(await post(id, 'resume')).toMatchObject({ status: 200 })
  const done = await inState(id, 'done')
  expect([done.done, done.failure]).toEqual([1, undefined])
})

test('rows that cannot be signed are failed, and a retry issues them', async () => {
  const { operator, configurationId, upload, inState, post, credentialsOf } = await newTenant(webConfiguration)
  const id = await upload(['1,Ada', '2,Bob'], { validateOnly: 'true' })
  await inState(id, 'ready')
  const url = `/v2/credentials/web-semantic/configurations/${configurationId}`
  const { body } = await operator.get(url)
  expect(body.id).toBe(configurationId)
  await service.deps.db.tx(async (tx) => {
    // Claims that the format cannot express, as after a change of the configuration.
    const sealedClaims = service.deps.secrets.seal(
      JSON.stringify({ claims: { id: 'x' }, validity: null }),
      bulkRowContext(id, 2),
    )
    await tx.update(bulkRows).set({ sealedClaims }).where(eq(bulkRows.row, 2))
  })
  await post(id, 'start')
  expect(await inState(id, 'done')).toMatchObject({ done: 1, failed: 1 })
  const rows = (await operator.get(`${path}/${id}/rows?state=failed`)).body.data
  expect(rows).toEqual([
    { row: 2, state: 'failed', externalId: '2', code: 'not_signed', message: expect.stringMatching(/\.$/) },
  ])
  await service.deps.db.tx(async (tx) => {
    const content = { claims: { given_name: 'Bob' }, validity: null }
    const sealedClaims = service.deps.secrets.seal(JSON.stringify(content), bulkRowContext(id, 2))
    await tx.update(bulkRows).set({ sealedClaims }).where(eq(bulkRows.row, 2))
  })
  expect(await post(id, 'retry')).toMatchObject({ status: 200 })
  await eventually(async () => (await operator.get(`${path}/${id}`)).body.done === 2)
  expect(await inState(id, 'done')).toMatchObject({ done: 2, failed: 0 })
  expect((await credentialsOf(id)).map(({ externalId }: { externalId: string }) => externalId)).toEqual(['1', '2'])
})

test('portions that run twice at once, or after an erasure, give each row one credential', async () => {
  const { tenant, operator, upload, inState, post, credentialsOf } = await newTenant(compactConfiguration, {
    revocable: true,
  })
  const { id: userId } = (await operator.post('/v1/users', { claims: {} })).body
  const { id: stays } = (await operator.post('/v1/users', { claims: {} })).body
  const lines = Array.from({ length: 50 }, (_, at) => `${at},Ada,${at === 30 ? userId : stays}`)
  const id = await upload(lines, { validateOnly: 'true', userIdColumn: 'user' })
  await inState(id, 'ready')
  await service.workers.stop()
  await post(id, 'start')
  const deps = signingDeps(service)
  const run = () => issuePortion(deps, { tenantId: tenant.id, bulkId: id, run: 1 }, 10)
  await Promise.all([run(), run(), run()])
  expect(await operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  for (let portions = 0; portions < 10; portions++) await Promise.all([run(), run()])
  await service.workers.start()
  expect(await inState(id, 'done')).toMatchObject({ total: 50, valid: 49, erased: 1, done: 49, failed: 0 })
  const credentials = await credentialsOf(id)
  expect(new Set(credentials.map(({ credentialId }: { credentialId: string }) => credentialId)).size).toBe(49)
  expect(credentials.some(({ externalId }: { externalId: string }) => externalId === '30')).toBe(false)
  // The credentials of a user are listed with the user, and are revoked by the erasure.
  const ofUser = (await operator.get(`/v1/users/${stays}/credentials?limit=1000`)).body.data
  expect(ofUser).toHaveLength(49)
  expect(await service.deps.db.read.$count(signedCredentials, eq(signedCredentials.tenantId, tenant.id))).toBe(0)
  expect(await operator.delete(`/v1/users/${stays}`)).toMatchObject({ status: 204 })
  expect(await credentialsOf(id)).toEqual([])
  const counts = { total: 50, valid: 0, invalid: 0, erased: 50, done: 0, failed: 0 }
  expect((await operator.get(`${path}/${id}`)).body).toMatchObject(counts)
})

test('a job of an earlier run does not pause the run that was started after it', async () => {
  const { tenant, operator, upload, inState, post } = await newTenant()
  const id = await upload(['1,Ada'], { validateOnly: 'true' })
  await inState(id, 'ready')
  await service.workers.stop()
  for (const verb of ['start', 'pause', 'resume']) expect(await post(id, verb)).toMatchObject({ status: 200 })
  const paused = { from: ['running' as const], state: 'paused' as const }
  await service.deps.db.tx((tx) => moveBulk(tx, tenant.id, id, { ...paused, run: 1 }))
  expect((await operator.get(`${path}/${id}`)).body.state).toBe('running')
  await service.workers.start()
  await inState(id, 'done')
})

test('a completed bulk issuance gives one event to webhooks, and one analytics event for each portion', async () => {
  const { operator, upload, inState } = await newTenant()
  const webhook = { url: `https://receiver.example/${newPath()}`, events: ['BulkIssuanceCompleted'] }
  const made = await operator.post('/v1/webhooks', webhook)
  expect(made.status).toBe(201)
  const id = await upload(['1,Ada'])
  await inState(id, 'done')
  const deliveries = await eventually(async () => {
    const { data } = (await operator.get(`/v1/webhooks/${made.body.id}/deliveries`)).body
    return data.length > 0 && data
  })
  expect(deliveries).toMatchObject([{ type: 'BulkIssuanceCompleted' }])
  await eventually(async () => {
    const { data } = (await operator.get('/v1/events?types=BULK_ISSUANCE_PORTION_SUCCESS')).body
    return data?.some((event: { data: { id: string } }) => event.data.id === id)
  })
})

test('a retry, before the event of the end is sent, neither loses nor changes it', async () => {
  const { tenant, operator, upload, inState, post } = await newTenant()
  const webhook = { url: `https://receiver.example/${newPath()}`, events: ['BulkIssuanceCompleted'] }
  const made = await operator.post('/v1/webhooks', webhook)
  const id = await upload(['1,Ada', '2,Bob'], { validateOnly: 'true' })
  await inState(id, 'ready')
  await service.workers.stop()
  await post(id, 'start')
  const ref = { tenantId: tenant.id, bulkId: id }
  const deps = signingDeps(service)
  expect(await issuePortion(deps, { ...ref, run: 1 })).toBeUndefined()
  expect(await post(id, 'retry')).toMatchObject({ status: 200, body: { state: 'running' } })
  // A credential that a later run would have issued.
  await service.deps.db.tx((tx) => tx.update(bulkIssuances).set({ done: 1 }).where(eq(bulkIssuances.id, id)))
  await service.workers.start()
  const ended = await eventually(async () => {
    const { data } = (await operator.get(`/v1/webhooks/${made.body.id}/deliveries`)).body
    return data.length === 2 && data
  })
  expect(new Set(ended.map((each: { eventId: string }) => each.eventId)).size).toBe(2)
  const rows = await service.deps.db.read.select().from(deliveries).where(eq(deliveries.tenantId, tenant.id))
  const payloads = await Promise.all(rows.map((row) => bulkEnds.payloadOf({ db: service.deps.db.read } as never, row)))
  expect(payloads).toContainEqual({ id, total: 2, valid: 2, invalid: 0, done: 2, failed: 0 })
  expect(payloads).toContainEqual({ id, total: 2, valid: 2, invalid: 0, done: 1, failed: 0 })
})

let pathCount = 0
const newPath = () => `path-${++pathCount}`
