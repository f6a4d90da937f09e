import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLogin } from '../../api/issuance/authorization/login/begin-login.ts'
import { openCode } from '../../api/issuance/offers/new-offer.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { claimSources } from '../../db/tables/issuance/claim-sources.ts'
import { interactionHooks } from '../../db/tables/issuance/interaction-hooks.ts'
import { authenticationProviders } from '../../db/tables/issuance/sign-in-providers.ts'
import { newId } from '../../shared/ids.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'

/** Moves sealed values to another row. An attacker who can write the database must not learn them. */
let service: Service
let other: TestTenant
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const failed = { status: 500, body: { code: 'InternalServerError' } }

test('the secret of a claim source opens only in its own row', async () => {
  const { operator, deps } = service
  const create = async (value: string) => {
    const content = { url: 'https://claims.example', requestMethod: 'GET', requestParameters: {} }
    const body = { name: 'Register', ...content, authorization: { type: 'api-key', value } }
    return (await operator.post('/v1/claim-sources', body)).body.id as string
  }
  const [mine, theirs] = [await create('secret-of-mine'), await create('secret-of-theirs')]
  const [row] = await deps.db.read.select().from(claimSources).where(eq(claimSources.id, theirs))
  const { sealedAuthorization } = row!
  await deps.db.tx((tx) => tx.update(claimSources).set({ sealedAuthorization }).where(eq(claimSources.id, mine)))
  expect(await operator.get(`/v1/claim-sources/${theirs}`)).toMatchObject({ status: 200 })
  expect(await operator.get(`/v1/claim-sources/${mine}`)).toMatchObject(failed)
})

test('the secret of a provider opens only in its own row', async () => {
  const path = '/v1/users/authentication-providers'
  const create = async ({ operator }: TestTenant) => {
    const body = { url: 'https://login.example', clientId: 'trustwright', clientSecret: 'secret-of-one' }
    return (await operator.post(path, body)).body.id as string
  }
  const [mine, theirs] = [await create(service), await create(other)]
  const { db } = service.deps
  const [row] = await db.read.select().from(authenticationProviders).where(eq(authenticationProviders.id, theirs))
  const { sealedClientSecret } = row!
  await db.tx((tx) =>
    tx.update(authenticationProviders).set({ sealedClientSecret }).where(eq(authenticationProviders.id, mine)),
  )
  expect(await other.operator.get(`${path}/${theirs}`)).toMatchObject({ status: 200 })
  expect(await service.operator.get(`${path}/${mine}`)).toMatchObject(failed)
})

test('the secret of a hook opens only for its own tenant', async () => {
  const path = '/v1/openid/configuration'
  for (const { operator } of [service, other]) {
    await operator.put(path, { interactionHook: { url: 'https://hook.example' } })
  }
  const { db } = service.deps
  const [row] = await db.read.select().from(interactionHooks).where(eq(interactionHooks.tenantId, other.id))
  const { sealedSecret } = row!
  await db.tx((tx) =>
    tx.update(interactionHooks).set({ sealedSecret }).where(eq(interactionHooks.tenantId, service.id)),
  )
  expect(await other.operator.get(path)).toMatchObject({ status: 200 })
  expect(await service.operator.get(path)).toMatchObject(failed)
})

test('sealed codes and logins open only for their own offer and sign-in', async () => {
  const { deps } = service
  const [mine, theirs] = [newId(), newId()]
  const code = deps.secrets.seal('code', { use: 'pre-authorized code', place: `pre-authorized code of ${theirs}` })
  expect(openCode(deps, theirs, code)).toBe('code')
  expect(() => openCode(deps, mine, code)).toThrow()
  const login = deps.secrets.seal('{}', { use: 'login', place: `login of ${theirs}` })
  type Row = Parameters<typeof openLogin>[1]
  expect(openLogin(deps, { id: theirs, sealedLogin: login } as Row)).toEqual({})
  expect(() => openLogin(deps, { id: mine, sealedLogin: login } as Row)).toThrow()
})

test('a payload that was sealed for one job does not open in another', async () => {
  const { deps, workers } = service
  await workers.stop()
  const claims = { issuer: service.baseUrl, roles: [], tokenGeneration: 0, lifetimeSeconds: 1 }
  const request = { tenantId: service.id, clientId: newId(), ...claims }
  const queue = deps.bus.queue('signing')
  await deps.bus.send('signManagementTokens', { items: [request] }, { id: 'sealed-for-tokens' })
  const sent = await queue.getJob('sealed-for-tokens')
  expect(JSON.stringify(sent?.data)).not.toContain(request.clientId)
  await queue.add('decryptRequests', sent?.data, { jobId: 'moved', removeOnFail: false, attempts: 1 })
  await workers.start()
  const reason = await eventually(async () => (await queue.getJob('moved'))?.failedReason)
  expect(reason).toContain('unable to authenticate data')
})

test('the claims of a claim link open only in its own row', async () => {
  const configurationId = await compactConfiguration(service)
  const [mine, theirs] = [
    await newClaimLink(service, service, [configurationId]),
    await newClaimLink(service, service, [configurationId]),
  ]
  const { db } = service.deps
  const [row] = await db.read.select().from(claimLinks).where(eq(claimLinks.id, theirs.id))
  const { sealedContent } = row!
  await db.tx((tx) => tx.update(claimLinks).set({ sealedContent }).where(eq(claimLinks.id, mine.id)))
  const press = ({ address }: { address: string }) => service.anonymous.post(new URL(address).pathname)
  expect(await press(theirs)).toMatchObject({ status: 303 })
  expect((await press(mine)).status).toBe(500)
})
