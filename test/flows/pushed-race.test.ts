import { expect, test } from 'vitest'
import { toTenant } from '../../api/access/tenant.ts'
import type { Deps } from '../../api/deps.ts'
import { authorize } from '../../api/issuance/authorization/authorize.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { startService } from '../harness/harness.ts'
import { startProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

test('a browser that opens a pushed request while another one ends it sends the wallet no second response', async () => {
  await using service = await startService()
  await using _provider = await startProvider(service)
  const configurationId = await compactConfiguration(service)
  await registerWallet(service)
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const parameters = new URLSearchParams(wallet.authorizeUrl().search)
  const { body } = await service.anonymous.post('/v1/oauth/par', parameters)
  const only = Object.fromEntries([...parameters.keys()].map((name) => [name, undefined]))
  const changes = { ...only, client_id: clientId, request_uri: body.request_uri }

  const row = await findTenant(service.deps.db.read, service.id)
  const { db } = service.deps
  // The other browser signs in after this one has found the request, and before its transaction.
  const tx: Deps['db']['tx'] = async (work) => {
    expect((await wallet.authorize(changes)).get('code')).toEqual(expect.any(String))
    return db.tx(work)
  }
  const deps = { ...service.deps, db: { ...db, tx } }
  const late = authorize(
    deps,
    toTenant(row!, service.deps.config),
    {},
    { client_id: clientId, request_uri: body.request_uri },
    () => undefined,
  )
  await expect(late).rejects.toMatchObject({ problem: 'sign_in_handed_back' })
})
