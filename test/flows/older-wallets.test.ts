import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: SharedService
let lenient: TestTenant
beforeAll(async () => {
  service = await joinService()
  lenient = await service.addTenant({ profile: 'lenient' })
})
afterAll(() => service[Symbol.asyncDispose]())

/** A token as a wallet of drafts 11 to 13 gets it, and the request that it sends then. */
async function olderWallet(tenant: TestTenant, ids: string[]) {
  const offer = await readOffer((await newOffer(tenant, ids)).uri, tenant.anonymous)
  const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
  const { body: token } = await tenant.anonymous.post('/v1/oauth/token', form)
  const key = await newHolderKey()
  return {
    token,
    async proof(nonce: string | undefined = token.c_nonce) {
      return { proof_type: 'jwt', jwt: await makeProof({ issuer: tenant.baseUrl, key, nonce }) }
    },
    ask: (body: object) =>
      createApi(service.origin, tenant.host, token.access_token).post('/v1/openid/credential', body),
  }
}

describe('at a lenient tenant, a wallet of drafts 11 to 13', () => {
  test('gets its nonce beside the token, requests by format and type with one proof, and reads one credential', async () => {
    const web = await webConfiguration(lenient)
    const compact = await compactConfiguration(lenient, { type: 'Ticket' })
    const { token, proof, ask } = await olderWallet(lenient, [compact, web])
    expect(token).toMatchObject({ c_nonce: expect.any(String), c_nonce_expires_in: 300 })

    const definition = { type: ['VerifiableCredential', 'CourseCertificate'] }
    const first = await ask({ format: 'ldp_vc', credential_definition: definition, proof: await proof() })
    expect(first).toMatchObject({
      status: 200,
      body: { credential: { type: definition.type }, c_nonce: expect.any(String), c_nonce_expires_in: 300 },
    })
    const next = await proof(first.body.c_nonce)
    const second = await ask({ format: 'cwt', credential_definition: { type: ['Ticket'] }, proof: next })
    expect(second).toMatchObject({ status: 200, body: { credential: expect.any(String) } })
    expect(second.body.credentials).toEqual([{ credential: second.body.credential }])
  })

  test('can name the configuration and send one proof', async () => {
    const id = await compactConfiguration(lenient)
    const { proof, ask } = await olderWallet(lenient, [id])
    expect(await ask({ credential_configuration_id: id, proof: await proof() })).toMatchObject({ status: 200 })
  })

  test('gets an error for a wrong request, and can try again', async () => {
    const id = await compactConfiguration(lenient, { type: 'Right' })
    const { proof, ask } = await olderWallet(lenient, [id])
    const wrong: [body: object, error: string][] = [
      [{ format: 'cwt', types: ['Another'], proof: await proof() }, 'unknown_credential_configuration'],
      [{ format: 'ldp_vc', types: ['Right'], proof: await proof() }, 'unknown_credential_configuration'],
      [{ format: 'cwt', types: ['Right'], proof: { jwt: 'x' } }, 'invalid_proof'],
      [{ format: 'cwt', types: ['Right'], proof: { proof_type: 'cwt', cwt: 'x' } }, 'invalid_proof'],
      [{ format: 'cwt', types: ['Right'] }, 'invalid_proof'],
      [{ proof: await proof() }, 'invalid_credential_request'],
    ]
    for (const [body, error] of wrong) expect(await ask(body)).toMatchObject({ status: 400, body: { error } })
    expect(await ask({ format: 'cwt', types: ['Right'], proof: await proof() })).toMatchObject({ status: 200 })
  })

  test('cannot use its one proof twice', async () => {
    const ids = [await compactConfiguration(lenient), await compactConfiguration(lenient)]
    const { proof, ask } = await olderWallet(lenient, ids)
    const once = await proof()
    expect(await ask({ credential_configuration_id: ids[0], proof: once })).toMatchObject({ status: 200 })
    expect(await ask({ credential_configuration_id: ids[1], proof: once })).toMatchObject({
      status: 400,
      body: { error: 'invalid_nonce' },
    })
  })
})

test('other profiles refuse such requests, and their token has no nonce', async () => {
  const id = await compactConfiguration(service, { type: 'Strict' })
  const { token, proof, ask } = await olderWallet(service, [id])
  expect(token).not.toHaveProperty('c_nonce')
  const { c_nonce: nonce } = (await service.anonymous.post('/v1/openid/nonce')).body
  const byFormat = await ask({ format: 'cwt', types: ['Strict'], proof: await proof(nonce) })
  expect(byFormat).toMatchObject({ status: 400, body: { error: 'invalid_credential_request' } })
  const single = await ask({ credential_configuration_id: id, proof: await proof(nonce) })
  expect(single).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
})
