import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { keyParts } from '../../../shared/domain/identifiers/key-policy.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, startService } from '../../harness/harness.ts'
import { issued } from '../../harness/verifying.ts'
import { openProvider, startReferenceSigner } from '../../servers/remote-signer.ts'

test('a service whose keys are all at a remote signer issues credentials, and answers 503 while the signer is down', async () => {
  const server = await startReferenceSigner()
  const { provider } = openProvider({ adapter: 'remote-signer', url: server.url, tokenFile: server.tokenFile })
  const env = { KEY_PROVIDER: 'remote:test', REQUIRE_HARDWARE_KEYS: keyParts.join(',') }
  await using service = await startService({ keyProviders: [provider], env })
  const tenant = await service.addTenant({ createRoot: true, country: 'NZ' })
  const rows = await service.deps.db.read.select().from(keys).where(eq(keys.tenantId, tenant.id))
  expect(rows.map((row) => row.provider)).toEqual(rows.map(() => 'remote:test'))
  expect(rows.filter(({ purpose }) => purpose === 'certificate')).toHaveLength(3)
  const { credential } = await issued(service, tenant, await compactConfiguration(tenant))
  const verified = await service.operator.post('/v2/credentials/compact/verify', { payload: credential })
  expect(verified.body).toMatchObject({ verified: true })

  const payload = {
    ...{ '@context': ['https://www.w3.org/2018/credentials/v1'], type: ['VerifiableCredential'] },
    ...{ issuer: { id: tenant.did, name: 'School' }, credentialSubject: { id: 'did:example:ada' } },
  }
  const sign = () => tenant.operator.post('/v2/credentials/web-semantic/sign', { payload })
  expect(await sign()).toMatchObject({ status: 200 })
  await server.stop()
  const { status, body } = await sign()
  // Clients do not see the name and the address of the provider.
  expect([status, body.message]).toEqual([503, 'The keys of this tenant are not available. Try again.'])
  await server.start()
  await eventually(async () => (await sign()).status === 200)

  const handles = rows.flatMap(({ handle }) => handle ?? [])
  expect(await Array.fromAsync(provider.handles())).toEqual(expect.arrayContaining(handles))
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  await eventually(async () => {
    const left = new Set(await Array.fromAsync(provider.handles()))
    return !handles.some((handle) => left.has(handle))
  })
})
