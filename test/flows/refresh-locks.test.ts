import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, startService } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { startProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'

describe('on PostgreSQL', { tags: 'postgres' }, () => {
  test('a refresh locks the authorization before the refresh token, like a revocation', async () => {
    await using service = await startService()
    await using _provider = await startProvider(service)
    await registerWallet(service)
    const key = await newDpopKey()
    const wallet = newAuthorizationWallet(service, service.origin, await compactConfiguration(service))
    const code = (await wallet.authorize()).get('code') ?? ''
    const proof = () => dpopProof({ key, url: `${service.baseUrl}/v1/oauth/token` })
    const { refresh_token } = (await wallet.redeem(code, {}, { dpop: await proof() })).body
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token })

    const revoking = new pg.Client({ connectionString: service.deps.config.databaseUrl })
    await revoking.connect()
    await revoking.query("BEGIN; SET LOCAL lock_timeout = '100ms'; SELECT id FROM authorizations FOR UPDATE")
    const refreshed = service.anonymous.post('/v1/oauth/token', form, { dpop: await proof() })
    await eventually(async () => (await waitingForLocks(service)) === 1)
    // Would wait for the refresh, which waits for this transaction.
    expect(await revoking.query('DELETE FROM refresh_tokens')).toMatchObject({ rowCount: 1 })
    await revoking.query('ROLLBACK')
    await revoking.end()
    expect(await refreshed).toMatchObject({ status: 200 })
  })
})
