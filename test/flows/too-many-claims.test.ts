import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startComponent } from '../servers/interaction-component.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'

// A user has at most 10,000 values, also after claims of a provider or component were added to it.

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)
/** As many as a user can have. */
const mostClaims = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, { a: 1 }]))

async function findAda() {
  const { body } = await service.operator.post('/v1/users/search', { authenticationProvider: { subjectId: 'ada' } })
  return body.data[0]
}

async function setClaims(claims: object): Promise<void> {
  const { id } = await findAda()
  expect(await service.operator.put(`/v1/users/${id}`, { claims })).toMatchObject({ status: 200 })
}

/** The data of the newest event of this type. */
const newestOf = (type: string) =>
  eventually(async () => {
    const { body } = await service.operator.get(`/v1/events?types=${type}&limit=1`)
    return body.data[0] && JSON.stringify(body.data[0].data)
  })

test('a sign-in that would give a user too many claims is refused, and the event has advice for the issuer', async () => {
  const granted = expect.any(String)
  const signIn = async () => Object.fromEntries(await newWallet().authorize())
  expect(await signIn()).toMatchObject({ code: granted })
  await setClaims(mostClaims)
  const refused = await signIn()
  expect(refused).toMatchObject({ error: 'server_error', iss: service.baseUrl })
  expect(refused.error_description).toMatch(/more than 10,000 values.*Remove claims of the user.*claimsToPersist/)
  expect(refused).not.toHaveProperty('code')
  expect((await findAda()).claims).toEqual(mostClaims)
  expect(await newestOf('OPENID_AUTHENTICATION_PROVIDER_AUTHORIZE_FAIL')).toContain('more than 10,000 values')
  await setClaims({})
  expect(await signIn()).toMatchObject({ code: granted })
})

test('a response of the component with too many claims shows the page of that step and leaves the interaction open', async () => {
  // With the three claims of the provider, and room for one more.
  const { n0: _first, n1: _second, ...others } = mostClaims
  const before = { ...others, given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.org' }
  await setClaims(before)
  const claims = { level: 'B1', place: 'Napier' }
  const keeping = (claimsToPersist: string[]) => ({ payload: { claims, claimsToPersist } })
  await using component = await startComponent(service, { answer: () => keeping(['level', 'place']) })
  const wallet = newWallet()
  const { status, html } = await wallet.browser.signIn(wallet.authorizeUrl())
  expect(status).toBe(400)
  expect(html).toContain('The step after the sign-in returned an invalid response')
  expect(await newestOf('OPENID_INTERACTION_HOOK_FAIL')).toMatch(
    /more than 10,000 values.*Remove claims of the user.*claimsToPersist/,
  )
  expect((await findAda()).claims).toEqual(before)
  const { location } = await wallet.browser.open(component.callback(component.token(keeping(['level']))))
  expect(location?.searchParams.get('code')).toEqual(expect.any(String))
  expect((await findAda()).claims).toEqual({ ...before, level: 'B1' })
})
