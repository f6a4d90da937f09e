import { globSync, readFileSync } from 'node:fs'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { type Service, startService, tokenOf } from '../../harness/harness.ts'

let service: Service
let token: string
let configurationId: string
beforeAll(async () => {
  service = await startService()
  token = await tokenOf(service.origin, service.host, service.clientId, service.clientSecret)
  const settings = { type: 'card', claimMappings: { name: { mapFrom: 'claims.name' } }, expiresIn: { years: 1 } }
  configurationId = (await service.operator.post('/v2/credentials/compact/configurations', settings)).body.id
})
afterAll(() => service[Symbol.asyncDispose]())

const unknownId = '11111111-1111-4111-8111-111111111111'
const offers = '/v1/openid/offers/pre-authorized'
const configurations = '/v2/credentials/compact/configurations'

interface Mistake {
  method?: string
  path: string
  body?: unknown
  /** Default: a valid token. */
  authorization?: string | null
  contentType?: string | null
}

/** Sends a request, and returns the status with everything a person sees of the answer. */
async function send({ method = 'GET', path, body, authorization = `Bearer ${token}`, contentType }: Mistake) {
  const type = contentType === undefined && body !== undefined ? 'application/json' : contentType
  const headers = {
    host: service.host,
    ...(authorization !== null && { authorization }),
    ...(type && { 'content-type': type }),
  }
  const text = typeof body === 'string' || body === undefined ? (body ?? null) : JSON.stringify(body)
  const answer = await request(`${service.origin}${path}`, { method: method as 'GET', headers, body: text })
  const challenge = answer.headers['www-authenticate'] ?? ''
  return { status: answer.statusCode, text: `${challenge} ${await answer.body.text()}` }
}

const offer = (members: object) => ({
  method: 'POST',
  path: offers,
  body: { credentials: [configurationId], ...members },
})
const configuration = (members: object) => ({ method: 'POST', path: configurations, body: { type: 'x', ...members } })
const lifetime = 'between 1 second and 10 minutes: set minutes, seconds or both'

// Each answer says what is wrong and what to do.
test.each<[string, () => Mistake, number, string | RegExp]>([
  [
    'a path without a part',
    () => ({ path: '/v1/offers' }),
    404,
    'There is no operation GET /v1/offers. Did you mean /v1/openid/offers or /v1/overview/offers? See /docs.',
  ],
  ['a path without the version', () => ({ path: '/users' }), 404, 'Did you mean /v1/users?'],
  ['a singular name', () => ({ path: '/v1/user' }), 404, 'Did you mean /v1/users?'],
  ['a misspelled name', () => ({ path: '/v1/webhoks' }), 404, 'Did you mean /v1/webhooks?'],
  ['an old version', () => ({ method: 'POST', path: '/v1/credentials/mobile/configurations', body: {} }), 404, '/v2/'],
  ['an unknown profile', () => ({ path: '/v2/credentials/pdf/configurations' }), 404, configurations.slice(0, 16)],
  [
    'a method that the path does not have',
    () => ({ method: 'PUT', path: '/v1/users', body: {} }),
    405,
    'Use GET or POST',
  ],
  ['no token', () => ({ path: '/v1/users', authorization: null }), 401, /error_description=".*Bearer.*\/oauth\/token/],
  ['a token without Bearer', () => ({ path: '/v1/users', authorization: token }), 401, /error_description=".*Bearer/],
  [
    'a malformed token',
    () => ({ path: '/v1/users', authorization: 'Bearer x' }),
    401,
    /error="invalid_token", .*token/,
  ],
  [
    'a token request without a grant type',
    () => ({ method: 'POST', path: '/oauth/token', body: {} }),
    400,
    'grant_type',
  ],
  ['an unknown configuration', () => offer({ credentials: [unknownId] }), 400, 'GET /v2/credentials/configurations'],
  ['a type instead of an id', () => offer({ credentials: ['card'] }), 400, 'A type or a name is not accepted'],
  ['an unknown user', () => offer({ userId: unknownId }), 400, '"see":"GET /v1/users"'],
  ['a wrong unit', () => offer({ expiresIn: { hour: 1 } }), 400, lifetime],
  ['too many minutes', () => offer({ expiresIn: { minutes: 60 } }), 400, lifetime],
  ['minutes and seconds over the limit', () => offer({ expiresIn: { minutes: 10, seconds: 1 } }), 400, lifetime],
  ['a number of seconds as a duration', () => offer({ expiresIn: 600 }), 400, 'Must be an object'],
  ['claims that are no object', () => offer({ claims: 'Ada' }), 400, '"msg":"Must be an object","param":"claims"'],
  ['a missing field', () => offer({ credentials: undefined }), 400, '"msg":"Required","param":"credentials"'],
  ['single quotes', () => ({ method: 'POST', path: offers, body: "{'credentials': 1}" }), 400, 'line 1, column 2'],
  ['no content type', () => ({ ...offer({}), contentType: null }), 415, 'The Content-Type must be application/json'],
  ['a wrong unit of a validity', () => configuration({ expiresIn: { year: 1 } }), 400, 'one of years, months, weeks'],
  [
    'a misspelled member of a mapping',
    () => configuration({ claimMappings: { name: { mapfrom: 'claims.name' } } }),
    400,
    'Set mapFrom or defaultValue',
  ],
  ['an id that is no UUID', () => ({ path: '/v1/users/7' }), 400, '"msg":"Must be a UUID","param":"id"'],
])('%s', async (_name, mistake, status, text) => {
  const answer = await send(mistake())
  expect(answer.status).toBe(status)
  expect(answer.text).toMatch(text)
})

test('a path that looks like a secret is not repeated, and a long one neither', async () => {
  const secret = 'x'.repeat(43)
  for (const path of [`/v1/unknown/${secret}`, `/${'a/'.repeat(150)}`]) {
    const { status, text } = await send({ path })
    expect([status, text]).toEqual([404, expect.stringContaining('There is no operation at this path. See /docs.')])
  }
})

test('operations that are not in the reference are not suggested', async () => {
  const hidden = routes.filter(({ undocumented }) => undocumented).map(({ path }) => path)
  expect(hidden.length).toBeGreaterThan(0)
  for (const path of hidden)
    expect((await send({ path: `${path.replaceAll(/[:*]/g, '')}x/y` })).text).not.toContain(`${path}?`)
})

test('each list that an error names is an operation', () => {
  const operations = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const named = globSync('{api,workers}/**/*.ts', { exclude: ['**/built/**', '**/node_modules/**'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:unknownReference\([^)]*|see: )['`](GET [^'`]+)['`]/g)].map(
      ([, see]) => see,
    ),
  )
  expect(named.length).toBeGreaterThan(8)
  const asTemplate = (see = '') => see.replaceAll(/\$\{(\w+)\}/g, ':$1')
  expect(named.filter((see) => !operations.has(asTemplate(see)) && !see?.includes('authorityPaths'))).toEqual([])
})
