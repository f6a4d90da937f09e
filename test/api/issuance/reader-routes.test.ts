import { afterAll, beforeAll, expect, test } from 'vitest'
import { parts } from '../../../api/issuance/readers/check.ts'
import { findReaders } from '../../../api/issuance/readers/find-readers.ts'
import { walletFamilies } from '../../../shared/domain/issuance/wallet-families.ts'
import { newIaca } from '../../certificates/hierarchy.ts'
import {
  compactConfiguration,
  mdlConfiguration,
  newOffer,
  sdJwtConfiguration,
  semanticConfiguration,
  webConfiguration,
} from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { sdJwtClaims } from '../../harness/issued-sd-jwt.ts'
import { newWallet, readOffer } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { PUBLIC_SCHEME: 'https' } })
})
afterAll(() => service[Symbol.asyncDispose]())

const attested = { keyAttestationsRequired: {} }

async function readersOf(tenant: TestTenant): Promise<ReturnType<typeof findReaders>> {
  const { status, body } = await tenant.operator.get('/v1/openid/configuration/readers')
  expect(status).toBe(200)
  return body.families
}

async function familiesThatRead(tenant: TestTenant): Promise<string[]> {
  return (await readersOf(tenant)).filter(({ canRead }) => canRead).map(({ family }) => family)
}

async function metadataOf({ anonymous }: TestTenant) {
  const issuerMetadata = (await anonymous.get('/.well-known/openid-credential-issuer')).body
  const serverMetadata = (await anonymous.get('/.well-known/oauth-authorization-server')).body
  return { issuerMetadata, serverMetadata }
}

test('the readers of a tenant with all profiles are those that the checks find in its published metadata', async () => {
  const tenant = await service.addTenant()
  const [compact] = await Promise.all([compactConfiguration(tenant), semanticConfiguration(tenant)])
  await webConfiguration(tenant)
  await mdlConfiguration(tenant)
  await sdJwtConfiguration(tenant)
  const readers = await readersOf(tenant)
  expect(readers).toEqual(JSON.parse(JSON.stringify(findReaders(await metadataOf(tenant)))))
  expect(await familiesThatRead(tenant)).toEqual(['credo', 'multipaz', 'inji'])
  const ofIos = readers.find(({ family }) => family === 'eudi-ios')?.findings ?? []
  expect(ofIos.find(({ configurationId }) => configurationId === compact)).toEqual({
    check: 'known_format',
    part: 'issuerMetadata',
    affects: 'issuer',
    configurationId: compact,
    field: `credential_configurations_supported.${compact}.format`,
    message: `The configuration ${compact} has the format cwt. The wallet does not know it and refuses the whole issuer.`,
    fix: 'Make the offers for this wallet at a view without this configuration (POST /v1/views).',
    source: {
      repository: 'eu-digital-identity-wallet/eudi-lib-ios-openid4vci-swift',
      path: 'Sources/Entities/CredentialIssuer/CredentialIssuerMetadata.swift',
      version: 'v0.53.0',
    },
  })
})

test('a tenant without configurations is read by all but the EUDI wallet for Android', async () => {
  const tenant = await service.addTenant()
  expect(await familiesThatRead(tenant)).toEqual(walletFamilies.filter((family) => family !== 'eudi-android'))
})

test('each fix that a finding names makes another family read the issuer, until all of them do', async () => {
  const tenant = await service.addTenant({ profile: 'lenient' })
  const id = await sdJwtConfiguration(tenant)
  expect(await familiesThatRead(tenant)).toEqual(['eudi-ios', 'credo', 'inji'])
  await service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, { profile: 'standard' })
  expect(await familiesThatRead(tenant)).toEqual(['eudi-ios', 'credo', 'multipaz', 'inji'])
  const path = `/v2/credentials/sd-jwt/configurations/${id}?partial=true`
  await tenant.operator.put(path, attested)
  expect(await familiesThatRead(tenant)).toEqual(['eudi-android', 'eudi-ios', 'credo', 'multipaz', 'inji'])
  await tenant.operator.put(path, { claimMappings: { given_name: { mapFrom: 'claims.given_name' } } })
  expect(await familiesThatRead(tenant)).toEqual([...walletFamilies])
})

test('each family reads the offers and the answers of the service', async () => {
  const tenant = await service.addTenant()
  await newIaca(tenant)
  const id = await sdJwtConfiguration(tenant)
  const { uri, transactionCode } = await newOffer(tenant, [id], {
    claims: sdJwtClaims,
    transactionCodeConfiguration: { description: 'From the letter' },
  })
  const wallet = await newWallet(tenant, service.origin, uri)
  const { body: tokenAnswer } = await wallet.redeem({ tx_code: transactionCode ?? '' })
  const { body: credentialAnswer } = await wallet.requestCredential()
  const shared = await tenant.operator.post('/v1/openid/offers', { credentials: [id] })
  for (const offerUri of [uri, shared.body.uri]) {
    const offer = await readOffer(offerUri, tenant.anonymous)
    const readers = findReaders({ ...(await metadataOf(tenant)), offer, tokenAnswer, credentialAnswer })
    const ofAnswers = readers.flatMap(({ findings }) => findings.filter(({ part }) => !part.endsWith('Metadata')))
    expect(ofAnswers).toEqual([])
  }
  expect([tokenAnswer, credentialAnswer]).toMatchObject([{ access_token: expect.any(String) }, { credentials: [{}] }])
  expect(parts).toHaveLength(5)
})
