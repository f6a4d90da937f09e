import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import type { Api } from './api-client.ts'
import { compactConfiguration, newOffer } from './factories.ts'
import { eventually, type Service, type TestTenant } from './harness.ts'
import type { Things } from './one-of-each.ts'
import { newCredentials, newList } from './revocable.ts'
import { runNow } from './run-now.ts'
import { bulkFields, csvFile, uploadTo } from './uploads.ts'

const bulkIssuances = '/v1/bulk-issuances'
const compactConfigurations = '/v2/credentials/compact/configurations'
const iacas = '/v2/credentials/mobile/iacas'
const ofEcosystems = '/v1/ecosystems/certificates'
const cas = `${ofEcosystems}/ca`

/**
 * Adds objects in the states that operations need, to a tenant with one of each. The tenant is the one of the service. Afterwards the
 * queue of bulk issuances is paused, so that a running one keeps its state.
 */
export async function useTenant(service: Service, tenant: TestTenant, things: Things): Promise<void> {
  const { operator } = tenant
  await addCredentials(service, tenant, things)
  await addCertificates(operator, things)
  await addVerifier(operator, things)
  await setSignInProvider(operator)
  // The first checkpoint of the audit is due within two minutes.
  service.clock.advance(180_000)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
  const bulks = await addBulkIssuances(tenant)
  await addObjectsWithoutUse(operator)
  await service.deps.bus.queue('signing-bulk').pause()
  for (const [id, verbs] of bulks)
    for (const verb of verbs) await succeed(operator.post(`${bulkIssuances}/${id}/${verb}`))
}

async function succeed(answer: ReturnType<Api['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

async function addCredentials(service: Service, { id }: TestTenant, things: Things): Promise<void> {
  for (const profile of ['compact', 'compact-semantic', 'web-semantic', 'mobile'] as const) {
    const configurationId = things.get(`/v2/credentials/${profile}/configurations/:`)
    await newCredentials(service, id, { profile, listId: await newList(service, id, profile), configurationId })
  }
}

/** The first of each kind are active. The last can be deleted. */
async function addCertificates(operator: Api, things: Things): Promise<void> {
  const set = (list: string, id: string, active: boolean) =>
    succeed(operator.put(`${list}/${id}?partial=true`, { active }))
  const [iacaId, caId] = [things.get(`${iacas}/:`), things.get(`${cas}/:`)]
  await set(iacas, iacaId, true)
  await set(cas, caId, true)
  const signers = ['/v2/credentials/mobile/document-signers', '/v2/credentials/mobile/status-list-signers']
  for (const list of [...signers, '/v2/credentials/sd-jwt/signers', `${ofEcosystems}/vical-signers`]) {
    const { id } = await succeed(operator.post(list, list.startsWith(ofEcosystems) ? { caId } : { iacaId }))
    await set(list, id, false)
  }
  await succeed(operator.post(iacas, { commonName: 'Second', country: 'NZ' }))
  const { pem: certificatePem } = await newOpensslAuthority()
  const external = await succeed(operator.post(cas, { certificatePem }))
  await succeed(operator.post(`${ofEcosystems}/rical-signers`, { caId: external.id }))
}

/** A list of verifiers needs at least one. */
async function addVerifier(operator: Api, things: Things): Promise<void> {
  const participants = '/v1/ecosystems/:/participants'
  const path = `${participants.replace(':', things.get('/v1/ecosystems/:'))}/${things.get(`${participants}/:`)}`
  await succeed(operator.put(`${path}?partial=true`, { isVerifier: true }))
}

/** An offer names the last configuration, and none the one before it. The DID signs nothing. */
async function addObjectsWithoutUse(operator: Api): Promise<void> {
  const create = () => succeed(operator.post(compactConfigurations, { claimMappings: {} }))
  await create()
  const { id } = await create()
  await newOffer({ operator }, [id])
  await succeed(operator.post('/v1/dids', { method: 'key' }))
}

async function setSignInProvider(operator: Api): Promise<void> {
  const client = { clientId: 'trustwright', clientSecret: randomUUID() }
  const roles = [{ value: 'staff', roles: ['issuer'] }]
  const provider = { name: 'Login', issuer: 'https://login.example.org', claim: 'groups', ...client, roles }
  await succeed(operator.put('/v1/sign-in-provider', provider))
}

/** Returns the changes by id that lead to different states. */
async function addBulkIssuances(tenant: TestTenant): Promise<[id: string, verbs: string[]][]> {
  const { operator } = tenant
  const configurationId = await compactConfiguration(tenant)
  const people = csvFile('number,given_name\n1,Ada\n')
  const upload = async (mode: string, validateOnly: boolean): Promise<string> => {
    const fields = bulkFields(configurationId, { mode, validateOnly: String(validateOnly) })
    const { id } = await succeed(uploadTo(operator, bulkIssuances, ['file', people], ...fields))
    const state = validateOnly ? 'ready' : 'done'
    await eventually(async () => (await operator.get(`${bulkIssuances}/${id}`)).body.state === state)
    return id
  }
  await upload('links', false)
  const running = await upload('sign', true)
  const paused = await upload('sign', true)
  await upload('sign', true)
  await upload('sign', true)
  await upload('sign', false)
  return [
    [running, ['start']],
    [paused, ['start', 'pause']],
  ]
}
