import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { expectOauthError } from '../../harness/oauth-error.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const origin = 'https://wallet.example'

/** The routes without CORS headers: pages, what devices and servers call, and the health of the process. */
const closed = new Set([
  'GET /v1/oauth/authorize',
  'GET /v1/oauth/authentication/callback',
  'GET /v1/oauth/interaction/callback',
  'GET /v1/oauth/review',
  'POST /v1/oauth/review',
  'GET /docs',
  'GET /health/live',
  'GET /health/ready',
  'GET /l/:linkId',
  'POST /l/:linkId',
  'GET /l/:linkId/state',
  'GET /o/:offerId',
  'GET /o/:offerId/state',
  'POST /oauth/token',
  'POST /console/program-codes',
  'POST /console/program-sessions',
  'POST /console/session',
  'DELETE /console/session',
  'GET /console/session/provider',
  'POST /console/session/provider',
  'GET /console/session/callback',
  'POST /v1/holder/applications/:applicationId/challenges',
  'POST /v1/holder/applications/:applicationId/instances',
])

test('public routes and wallet routes allow every origin; all other routes allow none', () => {
  for (const { access, method, path, representations, undocumented } of routes) {
    const isOpen = access.kind !== 'operators' && !undocumented && !closed.has(`${method} ${path}`)
    expect({ method, path, cors: representations?.cors ?? false }).toEqual({ method, path, cors: isOpen })
  }
})

describe('a wallet in a browser', () => {
  test.each([
    'oauth/par',
    'oauth/token',
    'openid/nonce',
    'openid/credential',
    'openid/deferred-credential',
    'openid/notification',
  ])('may call %s with a token and proofs', async (name) => {
    const { status, headers } = await service.anonymous.send('OPTIONS', `/v1/${name}`, undefined, {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,dpop,oauth-client-attestation',
    })
    expect(status).toBe(204)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-methods']).toContain('POST')
    // For Authorization, a browser requires the name itself: it does not accept `*`.
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
    const names = ['authorization', 'content-type', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop']
    expect(allowed).toEqual(expect.arrayContaining(names))
  })

  test('can read the reason of a refusal, and the header for its next proof', async () => {
    const haip = await service.addTenant({ profile: 'haip' })
    const form = new URLSearchParams({ grant_type: 'authorization_code', code: 'x' })
    for (const answer of [
      await haip.anonymous.post('/v1/oauth/token', form, { origin }),
      await haip.anonymous.post('/v1/openid/credential', {}, { origin }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
      expect(exposed).toEqual(expect.arrayContaining(['DPoP-Nonce', 'WWW-Authenticate']))
    }
  })

  test('can read that its method is refused, or that the service is starting', async () => {
    const readable = { 'access-control-allow-origin': '*' }
    const errors = { 'oauth/token': 'invalid_request', 'openid/notification': 'invalid_notification_request' }
    for (const [name, error] of Object.entries(errors)) {
      const refused = await service.anonymous.get(`/v1/${name}`, { origin })
      expectOauthError(refused, error, 405)
      expect(refused.headers).toMatchObject({ ...readable, allow: 'POST, OPTIONS' })
    }
    const { lifecycle } = service.deps
    onTestFinished(() => void Object.assign(lifecycle, { phase: 'serving' }))
    lifecycle.phase = 'starting'
    const refused = await service.anonymous.post('/v1/openid/nonce', '', { origin })
    expectOauthError(refused, 'temporarily_unavailable', 503)
    expect(refused.headers).toMatchObject({ ...readable, 'retry-after': '2' })
    expect(await service.operator.get('/v1/users')).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } })
  })

  test('may not call the authorization endpoint, which browsers open as a page', async () => {
    const preflight = { origin, 'access-control-request-method': 'GET' }
    const { status, headers } = await service.anonymous.send('OPTIONS', '/v1/oauth/authorize', undefined, preflight)
    expect({ status, allowed: headers['access-control-allow-origin'] }).toEqual({ status: 405, allowed: undefined })
    const opened = await service.anonymous.get('/v1/oauth/authorize', { origin })
    expect(opened.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('can read each response until it has its credential', async () => {
    const { uri } = await newOffer(service, [await compactConfiguration(service)], { by: 'reference' })
    const address = new URL(new URL(uri).searchParams.get('credential_offer_uri') ?? '').pathname
    const wallet = await newWallet(service, service.origin, uri)
    const answers = [
      await service.anonymous.get(address, { origin }),
      await service.anonymous.get('/.well-known/openid-credential-issuer', { origin }),
      await service.anonymous.get('/.well-known/oauth-authorization-server', { origin }),
      await service.anonymous.post('/v1/openid/nonce', undefined, { origin }),
      await wallet.redeem(),
      await wallet.requestCredential(),
    ]
    const received = answers.map(({ status, headers }) => [status, headers['access-control-allow-origin']])
    expect(received).toEqual(answers.map(() => [200, '*']))
  })
})
