import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesTenant, type Route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes.ts'
import { findBulkIssuance } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { startRun } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import { findIssuance } from '../../../db/repos/issuance/issuances.ts'
import { changeMove } from '../../../db/repos/tenancy/moves.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { approvals } from '../../../db/tables/operations/approvals.ts'
import { statusBulks } from '../../../db/tables/status/bulks.ts'
import type { TenantState } from '../../../db/tables/tenancy/tenants.ts'
import { minuteMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { Postpone } from '../../../workers/serve.ts'
import { issuePortion } from '../../../workers/signing/bulk/issue-bulk.ts'
import { checkpointAudit } from '../../../workers/signing/checkpoint-audit.ts'
import { signCredentials } from '../../../workers/signing/sign-credentials.ts'
import { createRenewLinks } from '../../../workers/upkeep/bulk/renew-links.ts'
import { setBulkStatus } from '../../../workers/upkeep/set-bulk-status.ts'
import { createApi } from '../../harness/api-client.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { redeemOffer, requestIssuance } from '../../harness/requested.ts'
import { csvFile } from '../../harness/uploads.ts'
import { newWaitingApproval } from '../../harness/waiting-approval.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const startMove = ({ id }: TestTenant) => service.platform.post(`/v1/tenants/${id}/move`)
const endMove = ({ id }: TestTenant) => service.platform.delete(`/v1/tenants/${id}/move`)
const isOfTenants = ({ host = 'tenant' }: Route) => host === 'tenant' || host === 'either'
const readOnly = { status: 503, headers: { 'retry-after': '3600' } }

test('a tenant that moves refuses each change of operators and of holders, and says why', async () => {
  const tenant = await service.addTenant()
  expect(await startMove(tenant)).toMatchObject({ status: 200, body: { id: tenant.id, isReadOnly: true } })
  const { operator } = tenant
  const audited = await auditSize(tenant)
  const changes = routes.filter((route) => isOfTenants(route) && changesTenant(route) && route.access.kind !== 'wallet')
  expect(changes.length).toBeGreaterThan(130)
  const answers: Record<string, number> = {}
  for (const { operation, method, path, access } of changes) {
    const api = access.kind === 'anyone' ? tenant.anonymous : operator
    const filled = path.replaceAll(/:\w+/g, () => newId()).replace(newId(), tenant.id)
    const { status } = await api.send(method, filled, method === 'GET' ? undefined : {})
    answers[operation] = status
  }
  expect(Object.entries(answers).filter(([, status]) => status !== 503)).toEqual([])
  expect(await operator.post('/v1/users', {})).toMatchObject({
    ...readOnly,
    body: { code: 'ServiceUnavailable', message: expect.stringContaining('moves to another installation') },
  })
  expect(await auditSize(tenant)).toBe(audited)
})

test('a wallet collects no credential while its issuer moves, and collects it when the move was ended', async () => {
  const tenant = await service.addTenant()
  const offer = await newOffer({ ...service, ...tenant }, [await compactConfiguration(tenant)])
  const wallet = await newWallet({ ...service, ...tenant }, service.origin, offer.uri)
  expect(await wallet.redeem()).toMatchObject({ status: 200 })
  const request = { proofs: { jwt: [await wallet.proof()] } }
  await startMove(tenant)
  expect(await wallet.requestCredential(request)).toMatchObject({
    ...readOnly,
    body: { error: 'temporarily_unavailable' },
  })
  expect(await endMove(tenant)).toMatchObject({ status: 200, body: { isReadOnly: false } })
  expect(await wallet.requestCredential(request)).toMatchObject({ status: 200 })
})

test('a deferred credential of a moving tenant is not signed, because its new installation signs it', async () => {
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant)
  const issuer = { ...service, ...tenant }
  const { id: offerId } = await redeemOffer(issuer, [configurationId])
  const issuanceId = await requestIssuance(issuer, { offerId, configurationId })
  const stateOf = async () => (await findIssuance(service.deps.db.read, tenant.id, issuanceId))?.state
  const sign = () => signCredentials(signingDeps(service), [{ tenantId: tenant.id, issuanceId }])
  await startMove(tenant)
  expect((await sign()).outcomes).toMatchObject([{ problem: { problem: 'service_unavailable' } }])
  expect(await stateOf()).toBe('requested')
  await endMove(tenant)
  await sign()
  expect(await stateOf()).toBe('issued')
})

test('what a moving tenant published can be read, and is renewed', async () => {
  const tenant = await service.addTenant()
  await startMove(tenant)
  const { clientId: client_id, clientSecret: client_secret } = tenant
  const token = await tenant.anonymous.post('/oauth/token', {
    client_id,
    client_secret,
    grant_type: 'client_credentials',
  })
  expect(token.status).toBe(200)
  const operator = createApi(service.origin, tenant.host, token.body.access_token)
  expect(await operator.get(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 200, body: { isReadOnly: true } })
  expect(await operator.post('/v1/users/search', { label: 'none' })).toMatchObject({ status: 200 })
  const header = { 'x-console': '1' }
  const login = { clientId: client_id, clientSecret: client_secret }
  expect(await tenant.anonymous.post('/console/session', login, header)).toMatchObject({ status: 201 })
  const [session] = (await operator.get('/v1/console-sessions')).body.data
  expect(await operator.delete(`/v1/console-sessions/${session.id}`)).toMatchObject({ status: 204 })
  expect(await operator.post('/v1/console-sessions/end', { managementUserId: 'ada' })).toMatchObject({ status: 200 })
  for (const path of ['/.well-known/did.json', '/.well-known/did-configuration', '/v1/openid/jwks'])
    expect(await tenant.anonymous.get(path)).toMatchObject({ status: 200 })
  await checkpointAudit(signingDeps(service), { tenantId: tenant.id })
  const checkpoint = await eventually(async () => {
    const { status, body } = await tenant.anonymous.get('/v1/audit/checkpoint')
    return status === 200 && body
  })
  // The last row is the start of the move.
  expect(checkpoint.split('\n')[1]).toBe(String(await auditSize(tenant)))
})

test('the platform does not change a moving tenant, but reads and deletes it', async () => {
  const tenant = await service.addTenant()
  const path = `/v1/tenants/${tenant.id}`
  await startMove(tenant)
  const { platform } = service
  expect(await platform.put(`${path}?partial=true`, { name: 'Renamed' })).toMatchObject(readOnly)
  expect(await platform.post(`${path}/clients`, { name: 'New', roles: ['admin'] })).toMatchObject(readOnly)
  expect(await platform.post(`${path}/clients/${tenant.clientId}/secret`, {})).toMatchObject(readOnly)
  expect(await platform.delete(`${path}/clients/${tenant.clientId}`)).toMatchObject(readOnly)
  expect(await platform.get(`${path}/clients`)).toMatchObject({ status: 200 })
  const { data } = (await platform.get('/v1/tenants?limit=1000')).body
  expect(data.find(({ id }: { id: string }) => id === tenant.id)).toMatchObject({ isReadOnly: true })
  expect(await startMove(tenant)).toMatchObject({ status: 409, body: { message: 'The tenant moves already.' } })
  expect(await platform.delete(path)).toMatchObject({ status: 204 })
  expect(await endMove(tenant)).toMatchObject({ status: 404 })
})

test('a tenant with unfinished work does not move, and the message names the work', async () => {
  const { tenant, upload, inState } = await newLinksTenant(service)
  expect(await endMove(tenant)).toMatchObject({ status: 409, body: { message: 'The tenant does not move.' } })
  const { db, clock } = service.deps
  const refused = async (message: string) =>
    expect(await startMove(tenant)).toMatchObject({ status: 409, body: { message } })

  const approval = await newWaitingApproval(service, tenant.id)
  await refused(`The approval ${approval} is not finished. Approve or reject it first.`)
  const status = {
    id: newId(),
    tenantId: tenant.id,
    isRevoked: true,
    total: 1,
    done: 0,
    failed: [],
    createdAt: clock.now(),
  }
  await db.tx((tx) => tx.insert(statusBulks).values({ ...status, credentialIds: [], state: 'running' }))
  await refused(`The bulk status change ${status.id} is not finished. Wait until it is done.`)

  const bulkId = await upload(['1,Ada'], [['validateOnly', 'true']])
  await inState(bulkId, 'ready')
  const setBulk = (changes: Partial<typeof bulkIssuances.$inferInsert>) =>
    db.tx((tx) => tx.update(bulkIssuances).set(changes).where(eq(bulkIssuances.id, bulkId)))
  const renewal = { id: newId(), requestedAt: 0, expiresAt: 1, row: 0, renewed: 0, request: { requestId: newId() } }
  await setBulk({ linkRenewal: { ...renewal, state: 'running' } })
  await refused(`The renewal of claim links ${renewal.id} is not finished. Wait until it is done.`)
  await setBulk({ linkRenewal: { ...renewal, state: 'done' }, state: 'running' })
  await refused(`The bulk issuance ${bulkId} is not finished. Wait until it is done, or pause or cancel it.`)
  expect(await tenant.operator.post('/v1/users', {})).toMatchObject({ status: 201 })

  // Work of a bulk issuance that was deleted has no end for which to wait.
  await setBulk({ linkRenewal: { ...renewal, state: 'running' }, state: 'removed' })
  await db.tx((tx) => tx.delete(statusBulks).where(eq(statusBulks.id, status.id)))
  await db.tx((tx) => tx.delete(approvals).where(eq(approvals.id, approval)))
  expect(await startMove(tenant)).toMatchObject({ status: 200 })
})

test('a bulk issuance that starts at the same time as the move is paused, and can be resumed after it', async () => {
  const { tenant, upload, inState, post } = await newLinksTenant(service)
  const bulkId = await upload(['1,Ada'], [['validateOnly', 'true']])
  await inState(bulkId, 'ready')
  const at = service.clock.now()
  await service.deps.db.tx(async (tx) => {
    await changeMove(tx, tenant.id, { from: 'active', to: 'moving' })
    await startRun(tx, tenant.id, bulkId, { from: ['ready'], at, issues: 'valid' })
  })
  await issuePortion(signingDeps(service), { tenantId: tenant.id, bulkId, run: 1 })
  expect(await inState(bulkId, 'paused')).toMatchObject({ failure: { code: 'read_only' }, done: 0 })
  expect(await endMove(tenant)).toMatchObject({ status: 200 })
  expect(await post(bulkId, 'resume')).toMatchObject({ status: 200 })
  expect(await inState(bulkId, 'done')).toMatchObject({ done: 1 })
})

test('an upload that starts at the same time as the move is refused, also by a process that does not know the move yet', async () => {
  const { tenant, operator, send } = await newLinksTenant(service)
  await operator.get('/v1/bulk-issuances')
  await service.deps.db.tx((tx) => changeMove(tx, tenant.id, { from: 'active', to: 'moving' }))
  expect(await send(csvFile('number,given_name\n1,Ada\n'))).toMatchObject(readOnly)
  const stored = await service.deps.db.read.$count(bulkIssuances, eq(bulkIssuances.tenantId, tenant.id))
  expect(stored).toBe(0)
})

test('a bulk status change and a renewal that start at the same time as the move wait for its end', async () => {
  const { tenant, upload, inState, post, operator } = await newLinksTenant(service)
  const bulkId = await upload(['1,Ada'], [['expiresIn', '{"hours":1}']])
  await inState(bulkId, 'done')
  await service.workers.stop()
  service.clock.advance(61 * minuteMs)
  try {
    const renewal = await post(bulkId, 'renew-expired-links')
    const statuses = await operator.post('/v2/credentials/revocation-status', {
      credentials: [newId()],
      isRevoked: true,
    })
    expect([renewal.status, statuses.status]).toEqual([202, 202])
    const move = (from: TenantState, to: TenantState) =>
      service.deps.db.tx((tx) => changeMove(tx, tenant.id, { from, to }))
    await move('active', 'moving')
    const audited = await auditSize(tenant)
    const ofTenant = { tenantId: tenant.id, bulkId }
    const { linkRenewal } = (await findBulkIssuance(service.deps.db.read, tenant.id, bulkId)) ?? {}
    const renew = () => createRenewLinks(service.deps, 0)({ ...ofTenant, renewalId: linkRenewal?.id ?? '' })
    const setStatuses = () => setBulkStatus(service.deps, { ...ofTenant, bulkId: statuses.body.id }, 0)
    await expect(renew()).rejects.toEqual(new Postpone(60_000))
    await expect(setStatuses()).rejects.toEqual(new Postpone(60_000))
    expect(await auditSize(tenant)).toBe(audited)
    await move('moving', 'active')
    await Promise.all([renew(), setStatuses()])
    expect(await inState(bulkId, 'done')).toMatchObject({ linkRenewal: { state: 'done', renewed: 1 } })
  } finally {
    service.clock.advance(-61 * minuteMs)
    await service.workers.start()
  }
})

async function auditSize(tenant: TestTenant): Promise<number> {
  const { body } = await tenant.operator.get('/v1/events?categories=AUDIT&limit=1000')
  return body.data.length
}
