import { jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findInteractionHook } from '../../../db/repos/issuance/interaction-hooks.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { startReceiver } from '../../servers/receiver.ts'

const path = '/v1/openid/configuration'
const minimal = { url: 'https://hook.example.com/questions' }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a new tenant has no interaction hook', async () => {
  const { operator } = await service.addTenant()
  expect(await operator.get(path)).toMatchObject({ status: 200, body: {} })
  expect((await operator.get(path)).body).toStrictEqual({})
})

test('a hook is created, returned with its secret, and replaced without a change of the secret', async () => {
  const { operator } = await service.addTenant()
  const created = await operator.put(path, { interactionHook: minimal })
  const { secret } = created.body.interactionHook
  const view = { ...minimal, claims: [], sessionTimeoutInSec: 1200, disabled: false, secret }
  expect(created).toMatchObject({ status: 200, body: { interactionHook: view } })
  expect(Buffer.from(secret, 'base64')).toHaveLength(32)
  expect((await operator.get(path)).body).toStrictEqual({ interactionHook: view })

  const content = { url: 'https://other.example.com', claims: ['email'], sessionTimeoutInSec: 30, disabled: true }
  const updated = await operator.put(path, { interactionHook: { ...content, secret: 'chosen by the caller' } })
  expect(updated.status).toBe(200)
  expect(updated.body).toStrictEqual({ interactionHook: { ...content, secret } })
  expect((await operator.get(path)).body).toStrictEqual(updated.body)
  // An omitted member gets its default, not its previous value.
  const reset = await operator.put(path, { interactionHook: minimal })
  expect(reset.body).toStrictEqual({ interactionHook: view })

  const renewed = await operator.put(path, { interactionHook: { ...minimal, renewSecret: true } })
  expect(renewed.body.interactionHook.secret).not.toBe(secret)
  expect((await operator.get(path)).body).toStrictEqual(renewed.body)
  const { body: events } = await operator.get('/v1/events?types=CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_UPDATE_AUDIT')
  expect(JSON.stringify(events.data[0])).toContain('secret')
  expect(JSON.stringify(events)).not.toContain(renewed.body.interactionHook.secret)
})

test('each tenant has one secret of its own, which is stored encrypted', async () => {
  const { operator, id } = await service.addTenant()
  const racing = await Promise.all([1, 2, 3].map(() => operator.put(path, { interactionHook: minimal })))
  const secrets = new Set(racing.map(({ body }) => body.interactionHook.secret))
  expect(secrets.size).toBe(1)
  const [secret = ''] = secrets
  expect(JSON.stringify(await findInteractionHook(service.deps.db.read, id))).not.toContain(secret)
  const other = await (await service.addTenant()).operator.put(path, { interactionHook: minimal })
  expect(other.body.interactionHook.secret).not.toBe(secret)
})

test('a hook with wrong fields is refused with the name of each', async () => {
  const wrong = [
    [{ url: undefined }, ['url']],
    [{ url: 'hook.example.com' }, ['url']],
    [{ url: 'http://hook.example.com' }, ['url']],
    [{ url: 'https://10.0.0.1/' }, ['url']],
    [{ url: 'https://me:pw@hook.example.com' }, ['url']],
    [{ url: 'https://hook.example.com?session_token=x' }, ['url']],
    [{ url: 'https://hook.example.com#x' }, ['url']],
    [{ url: 'javascript:alert(1)' }, ['url']],
    [{ url: 'myapp:/step' }, ['url']],
    [{ url: '.app:/step' }, ['url']],
    [{ url: 'com.example.app:' }, ['url']],
    [{ url: 'com.example.app:/step?session_token=x' }, ['url']],
    [{ url: 'com.example.app:/step#x' }, ['url']],
    [{ url: 'com.example.app://me:pw@host/step' }, ['url']],
    [{ claims: 'email' }, ['claims']],
    [{ claims: ['email', ''] }, ['claims.1']],
    [{ sessionTimeoutInSec: 29 }, ['sessionTimeoutInSec']],
    [{ sessionTimeoutInSec: 86_401 }, ['sessionTimeoutInSec']],
    [{ sessionTimeoutInSec: 60.5 }, ['sessionTimeoutInSec']],
    [{ disabled: 'yes' }, ['disabled']],
  ] as const
  for (const [fields, names] of wrong) {
    const answer = await service.operator.put(path, { interactionHook: { ...minimal, ...fields } })
    expect(answer, JSON.stringify(fields)).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
    const params = answer.body.details.map(({ param }: { param: string }) => param)
    expect(params).toEqual(names.map((name) => `interactionHook.${name}`))
  }
  expect(await service.operator.put(path, {})).toMatchObject({
    status: 400,
    body: { details: [{ param: 'interactionHook' }] },
  })
})

test('a hook can be an app with a private-use scheme, which the test reports as an app', async () => {
  const { operator } = await service.addTenant()
  for (const url of ['com.example.app:/step', 'com.example.app://hook/step', 'org.example.my-app:step']) {
    const { status, body } = await operator.put(path, { interactionHook: { url } })
    expect({ status, url: body.interactionHook.url }).toEqual({ status: 200, url })
    expect(await operator.post(`${path}/test`)).toMatchObject({
      status: 200,
      body: { works: false, message: expect.stringContaining('is an app') },
    })
  }
})

test('http URLs are accepted for loopback in development only', async () => {
  const body = { interactionHook: { url: 'http://localhost:4000/hook' } }
  const { operator } = await service.addTenant()
  expect(await operator.put(path, body)).toMatchObject({ status: 200 })
  await using strict = await startService({ env: { OUTBOUND_ALLOW_LOOPBACK: '0' } })
  expect(await strict.operator.put(path, body)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'interactionHook.url' }] },
  })
})

test('the test calls the component with a session token without a user', async () => {
  const { operator, baseUrl } = await service.addTenant()
  expect(await operator.post(`${path}/test`)).toMatchObject({ status: 404 })
  let status = 200
  await using component = await startReceiver(() => ({ status }))
  const { body } = await operator.put(path, { interactionHook: { url: component.url, claims: ['given_name'] } })
  expect(await operator.post(`${path}/test`)).toMatchObject({ status: 200, body: { works: true } })
  const token = new URL(component.deliveries[0]!.path, component.url).searchParams.get('session_token') ?? ''
  const key = Buffer.from(body.interactionHook.secret, 'base64')
  const { payload } = await jwtVerify(token, key, {
    issuer: baseUrl,
    audience: component.url,
    currentDate: service.clock.now(),
  })
  expect(payload).toMatchObject({ claims: {}, redirectUrl: `${baseUrl}/v1/oauth/interaction/callback` })
  status = 403
  expect((await operator.post(`${path}/test`)).body).toEqual({ works: false, message: expect.stringContaining('403') })
})
