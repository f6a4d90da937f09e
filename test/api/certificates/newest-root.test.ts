import { X509Certificate } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { iacas, newIaca, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { mdlClaims, mdlConfiguration, newOffer, sdJwtConfiguration } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const cardConfiguration = (tenant: TestTenant) =>
  sdJwtConfiguration(tenant, { claimMappings: { given_name: { mapFrom: 'claims.given_name' } } })
const configurations = { mobile: mdlConfiguration, 'sd-jwt': cardConfiguration }
const signers = { mobile: signersPath('document-signer'), 'sd-jwt': signersPath('sd-jwt-signer') }

/** Collects a credential and returns it. */
async function collect(tenant: TestTenant, configurationId: string): Promise<string> {
  const { uri } = await newOffer(tenant, [configurationId], { claims: mdlClaims })
  const wallet = await newWallet(tenant, service.origin, uri)
  const { status, body } = await wallet.collect()
  expect(status).toBe(200)
  return body.credentials[0].credential
}

/** Returns the roots of the signers, that of the newest signer first. */
async function rootsOf(tenant: TestTenant, profile: keyof typeof signers): Promise<string[]> {
  const { data } = (await tenant.operator.get(signers[profile])).body
  return data.map(({ iacaId }: { iacaId: string }) => iacaId).reverse()
}

test.each(Object.keys(configurations) as (keyof typeof configurations)[])(
  'of two active roots the newest signs credentials of the profile %s, although the older one has a signer',
  async (profile) => {
    const tenant = await service.addTenant({ publicClients: true })
    const configurationId = await configurations[profile](tenant)
    const older = await newIaca(tenant)
    await collect(tenant, configurationId)
    const newest = await newIaca(tenant, { commonName: 'Next IACA' })
    await eventually(async () => {
      await collect(tenant, configurationId)
      return (await rootsOf(tenant, profile))[0] === newest.id
    })
    expect(new Set(await rootsOf(tenant, profile))).toEqual(new Set([older.id, newest.id]))
  },
)

test('an external root signs from the moment that it has a signer', async () => {
  const tenant = await service.addTenant({ publicClients: true })
  const configurationId = await cardConfiguration(tenant)
  await newIaca(tenant)
  const authority = await newOpensslAuthority()
  const { body: external } = await tenant.operator.post(iacas, { certificatePem: authority.pem })
  await tenant.operator.put(`${iacas}/${external.id}`, { active: true })
  await collect(tenant, configurationId)

  const { body: signer } = await tenant.operator.post(signers['sd-jwt'], { iacaId: external.id })
  const certificatePem = await authority.certify(signer.csrPem, { extensions: { extendedKeyUsage: undefined } })
  await tenant.operator.put(`${signers['sd-jwt']}/${signer.id}`, { active: true, certificatePem })
  const { raw } = new X509Certificate(certificatePem)
  await eventually(async () => {
    const { x5c } = decodeProtectedHeader(await collect(tenant, configurationId))
    return x5c?.[0] === raw.toString('base64')
  })
})
