import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../shared/clock.ts'
import { type ApiResponse, createApi } from '../harness/api-client.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { keycloakClaims, startTokenServer, type TokenServer } from '../servers/token-server.ts'
import { addServer, requestWith } from '../wallets/external-wallet.ts'
import { newWallet } from '../wallets/wallet.ts'

const persons = [1, 2, 3, 4]

let service: Service
let tenant: TestTenant
let configurationId: string
let view: { id: string; issuer: string }
const servers = new Map<string, TokenServer>()

beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  const claimMappings = { given_name: { mapFrom: 'claims.given_name', required: true } }
  configurationId = await webConfiguration(tenant, { scope: 'student_card', claimMappings })
  const content = { name: 'View', path: 'view', profile: 'standard', configurations: { ids: [configurationId] } }
  view = (await tenant.operator.post('/v1/views', content)).body
  for (const name of ['city', 'land']) {
    const server = await startTokenServer(tenant.baseUrl, () => service.clock.now())
    servers.set(name, server)
    await addServer(tenant, server, { name, jwtProfile: 'keycloak', claimsToPersist: ['given_name'] })
  }
})
afterAll(async () => {
  for (const server of servers.values()) await server[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const serverOf = (name: string) => servers.get(name) as TokenServer

interface Collected {
  /** Who has the token. The same `sub` is another person at each server. */
  person: string
  status: number
  /** Who the credential says that the person is. */
  subject: string | undefined
  check: string | undefined
}

interface Issuer {
  baseUrl: string
  api: TestTenant
  view: string | undefined
}

const issuers = (): Issuer[] => {
  const anonymous = createApi(`${service.origin}/views/view`, tenant.host)
  const throughView = { ...tenant, baseUrl: view.issuer, anonymous }
  return [
    { baseUrl: tenant.baseUrl, api: tenant, view: undefined },
    { baseUrl: view.issuer, api: throughView, view: view.id },
  ]
}

/** Signs a token of each person for each issuer. */
async function tokensOf(name: string) {
  return Promise.all(
    issuers().flatMap((issuer) =>
      persons.map(async (number) => {
        const person = `${name}-${number}`
        const claims = { aud: [issuer.baseUrl, 'account'], scope: 'openid student_card', sub: `person-${number}` }
        const token = await serverOf(name).token({ ...keycloakClaims, ...claims, given_name: person }, { typ: 'JWT' })
        return { person, issuer, token }
      }),
    ),
  )
}

type Token = Awaited<ReturnType<typeof tokensOf>>[number]

const answered = (person: string, { status, body }: Pick<ApiResponse, 'status' | 'body'>) => ({
  ...{ person, status },
  subject: body.credentials?.[0].credential.credentialSubject.given_name,
})

/** Collects a credential with each token, all at once. */
function collectWith(tokens: Token[]): Promise<Collected[]> {
  return Promise.all(
    tokens.map(async ({ person, issuer, token }) => {
      const answer = await requestWith(issuer.api, token, configurationId)
      const check = answer.status === 200 ? undefined : await checkOf(String(answer.headers['x-request-id']))
      return { ...answered(person, answer), check }
    }),
  )
}

/** Collects with tokens of this service. */
function collectHere(): Promise<Collected[]> {
  return Promise.all(
    issuers().flatMap((issuer) =>
      persons.map(async (number) => {
        const person = `here-${number}`
        const extra = { claims: { given_name: person }, ...(issuer.view !== undefined && { view: issuer.view }) }
        const { uri } = await newOffer(tenant, [configurationId], extra)
        const wallet = await newWallet({ host: tenant.host, baseUrl: issuer.baseUrl }, service.origin, uri)
        return { ...answered(person, await wallet.collect()), check: undefined }
      }),
    ),
  )
}

const checkOf = (requestId: string) =>
  eventually(async () => {
    const { body } = await tenant.operator.get(`/v1/events?requestIds=${requestId}`)
    return body.data.find(({ type }: { type: string }) => type === 'OPENID_CREDENTIAL_FAIL')?.data.error.check as string
  })

/** Expects that each credential is of the person of its token. Returns the number of each outcome. */
function countOutcomes(all: Collected[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { person, status, subject, check } of all) {
    if (status === 200) expect(subject).toBe(person)
    else expect(subject).toBeUndefined()
    const outcome = status === 200 ? 'collected' : `${status} ${check}`
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

test('two servers and this service issue to their own people while keys change and a server is away', async () => {
  const each = persons.length * issuers().length
  const collectAll = async () =>
    (
      await Promise.all([collectHere(), collectWith(await tokensOf('city')), collectWith(await tokensOf('land'))])
    ).flat()

  expect(countOutcomes(await collectAll())).toEqual({ collected: 3 * each })

  // The keys of a server change while tokens of the older ones are used.
  service.clock.advance(minuteMs)
  const old = await tokensOf('city')
  const used = collectWith(old)
  await serverOf('city').rotate()
  const during = await Promise.all([used, collectAll()])
  const { collected = 0, '401 token_signature': refused = 0, ...other } = countOutcomes(during.flat(2))
  expect(other).toEqual({})
  expect(collected).toBeGreaterThanOrEqual(3 * each)
  expect(collected + refused).toBe(4 * each)
  expect(countOutcomes(await collectWith(old.slice(0, 1)))).toEqual({ '401 token_signature': 1 })

  // A server is away. Tokens of known keys are accepted, and those of its new keys later.
  service.clock.advance(minuteMs)
  serverOf('land').isDown = true
  expect(countOutcomes(await collectAll())).toEqual({ collected: 3 * each })
  await serverOf('land').rotate()
  const [here, city, land] = await Promise.all([
    collectHere(),
    collectWith(await tokensOf('city')),
    collectWith(await tokensOf('land')),
  ])
  expect(countOutcomes([...here, ...city])).toEqual({ collected: 2 * each })
  expect(countOutcomes(land)).toEqual({ '503 token_server': each })

  service.clock.advance(minuteMs)
  serverOf('land').isDown = false
  expect(countOutcomes(await collectAll())).toEqual({ collected: 3 * each })

  // The same `sub` at two servers and here is three people.
  const users = (await tenant.operator.get('/v1/users?limit=1000')).body.data
  const names = users.map(({ claims }: { claims: { given_name?: string } }) => claims.given_name)
  for (const name of ['city', 'land'])
    for (const number of persons) expect(names.filter((given: string) => given === `${name}-${number}`)).toHaveLength(1)
})
