import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Tenant } from '../../api/access/subjects.ts'
import type { Deps } from '../../api/deps.ts'
import { createAdmission } from '../../api/http/admission.ts'
import { createSlot } from '../../api/http/slot.ts'
import { domainLinkage } from '../../api/identifiers/dids/domain-linkage.ts'
import { accessTokenFor } from '../../api/issuance/claim-sources/access-token.ts'
import { signedMetadata } from '../../api/issuance/metadata/signed-metadata.ts'
import { findLogo, logoAddressOf } from '../../api/issuance/pages/logos.ts'
import { bindDeps } from '../../api/process/bind-deps.ts'
import { createCaches } from '../../api/process/caches.ts'
import { providersCache } from '../../api/relying-party/discover.ts'
import { noDeadline } from '../../shared/deadline.ts'
import { waitingRequests } from '../harness/admission.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { startLyingProvider } from '../servers/lying-provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

/** The slots of one tenant (api/http/admission.ts). Two tenants that hold theirs leave none. */
const tenantSlots = 16

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Holds each call until `open` is called. */
function newGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const calls: string[] = []
  const ask = (what: string) => {
    calls.push(what)
    return promise
  }
  return { calls, ask, open: resolve }
}

/** A tenant whose people sign in at a provider, and a request that starts a sign-in. */
async function signInTenant() {
  const tenant = await service.addTenant()
  const provider = await startLyingProvider(tenant)
  await registerWallet(tenant)
  const wallet = newAuthorizationWallet(tenant, service.origin, await compactConfiguration(tenant))
  const signIn = (): Promise<{ status: number }> => {
    const { pathname, search } = wallet.authorizeUrl()
    return tenant.anonymous.get(pathname + search)
  }
  return { tenant, provider, signIn, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

test('a tenant is served while sign-ins of two tenants wait for providers that do not answer', async () => {
  await using one = await signInTenant()
  await using other = await signInTenant()
  const third: TestTenant = await service.addTenant()
  const { caches, outbound } = service.deps
  caches.of(providersCache).clear()
  const lookups = vi.spyOn(caches.of(providersCache), 'get')
  const gate = newGate()
  service.deps.outbound = {
    ...outbound,
    request: async (options) => {
      await gate.ask(String(options.url))
      return outbound.request(options)
    },
  }
  try {
    // The first sign-in of each tenant calls the provider, and the others share the call.
    const signIns = [one, other].flatMap(({ signIn }) => Array.from({ length: tenantSlots + 1 }, signIn))
    await eventually(async () => lookups.mock.calls.length === signIns.length)
    expect(gate.calls).toHaveLength(2)
    let answered: number | undefined
    const answer = third.anonymous.get('/.well-known/openid-credential-issuer').then(({ status }) => {
      answered = status
    })
    await eventually(async () => answered !== undefined || (await waitingRequests()) > 0)
    expect(answered).toBe(200)
    gate.open()
    await answer
    expect(new Set((await Promise.all(signIns)).map(({ status }) => status))).toEqual(new Set([302]))
  } finally {
    gate.open()
    service.deps.outbound = outbound
    lookups.mockRestore()
  }
})

type Wait = (deps: Deps) => Promise<unknown>

const url = 'https://images.example/logo.png'
// Boundary: logos read these members of the tenant.
const shownTenant = { id: 't', baseUrl: 'https://t.example', sealedSecret: null } as Tenant
const credentials = { tokenUrl: 'https://source.example/token', clientId: 'c', clientSecret: 's' }
// Boundary: the cache of access tokens reads these two columns.
const source = { id: 'source', sealedAuthorization: 'sealed' } as Parameters<typeof accessTokenFor>[1]

test.each<[string, Wait]>([
  ['a logo', (deps) => findLogo(deps, shownTenant, logoAddressOf(deps, shownTenant, url).slice('/o/logos/'.length))],
  ['an access token', (deps) => accessTokenFor(deps, source, credentials, 1000)],
  // Boundary: both read these two fields of the tenant.
  ['signed metadata', async (deps) => signedMetadata.make({}, { deps, tenant: { id: 't', baseUrl: url } as Tenant })],
  ['a domain linkage', (deps) => domainLinkage(deps, { id: 't' } as Tenant)],
])('requests that wait for %s together hold no slot', async (_what, wait) => {
  const admission = createAdmission({ maxRunning: 1, maxRunningPerTenant: 1, maxWaitingPerTenant: 1, maxWaiting: 2 })
  const newSlot = (tenantId: string) => {
    // Boundary: a waiting request listens for the end of its response only while it waits for a slot.
    const slot = createSlot(admission, new EventEmitter() as ServerResponse)
    return { slot, admitted: slot.take(tenantId) }
  }
  /** Returns whether the admission admits a request at once. A request holds its slot while it reads from the database. */
  const isFree = async () => {
    const { slot, admitted } = newSlot('probe')
    slot.end()
    return admitted === undefined || (await admitted.catch(() => false)) === undefined
  }
  const gate = newGate()
  const never = async (what: string): Promise<never> => {
    await gate.ask(what)
    throw new Error('the gate was opened')
  }
  const { deps } = service
  const unbound = {
    ...deps,
    caches: createCaches(),
    keys: { ...deps.keys, call: never },
    outbound: { ...deps.outbound, request: () => never('outbound') },
  } as Deps
  const begin = async (tenantId: string) => {
    const { slot, admitted } = newSlot(tenantId)
    expect(admitted).toBeUndefined()
    const over = wait(bindDeps(unbound, { deadline: noDeadline, slot }))
    await eventually(isFree)
    // All tasks of this tick of the event loop have run after that, and the admission admits again.
    await setImmediate()
    await setImmediate()
    return { slot, over }
  }
  const slots = [await begin('a'), await begin('b')]
  expect(gate.calls).toHaveLength(1)
  const third = newSlot('c')
  expect(third.admitted).toBeUndefined()
  gate.open()
  await Promise.allSettled(slots.map(({ over }) => over))
  for (const { slot } of [...slots, third]) slot.end()
})
