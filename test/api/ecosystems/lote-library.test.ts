import { KeyObject, sign } from 'node:crypto'
import {
  createLoTE,
  LoTEProfile,
  service as serviceOf,
  signLoTE,
  trustedEntity,
  validateLoTEProfile,
} from '@owf/eudi-lote'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoteType, loteProfiles, loteTypeNames } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { readIntegratedList } from '../../../workers/integrations/read-integrated-list.ts'
import { derOf, newCertificate, pemOf } from '../../certificates/certificates.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { newLoteSigner } from '../../servers/foreign-lote.ts'
import { newEcosystem, bytesAt as readBytes } from './factories.ts'
import { entityOf, loteBody } from './lote-bodies.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const profiles: Record<LoteType, LoTEProfile> = {
  'pid-providers': LoTEProfile.EUPIDProvidersList,
  'wallet-providers': LoTEProfile.EUWalletProvidersList,
  'wrpac-providers': LoTEProfile.EUWRPACProvidersList,
  'wrprc-providers': LoTEProfile.EUWRPRCProvidersList,
  'eaa-providers': LoTEProfile.EUEAAProvidersList,
  'pub-eaa-providers': LoTEProfile.EUPubEAAProvidersList,
  'mdl-providers': LoTEProfile.mDLProvidersList,
}

test('@owf/eudi-lote accepts the published lists of all types', async () => {
  const tenant = await service.addTenant()
  const ecosystem = await newEcosystem(tenant)
  await newEcosystemCa(tenant)
  const authority = await newCertificate({ name: 'Authority', ca: true })
  for (const type of loteTypeNames) {
    const lists = `${ecosystem}/lotes/${type}`
    const configuration = loteBody([{ ...entityOf('Entity', authority), tradeName: 'Trade' }])
    await tenant.operator.put(`${lists}/configuration`, configuration)
    expect(await tenant.operator.post(lists)).toMatchObject({ status: 201 })
    const { bytes } = await readBytes(service, tenant, `${lists}/public/latest`)
    const [, payload = ''] = bytes.toString().split('.')
    const document = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(validateLoTEProfile(document, profiles[type]), type).toEqual({ valid: true, errors: [] })
    for (const other of loteTypeNames.filter((each) => each !== type))
      expect(validateLoTEProfile(document, profiles[other]).valid, `${type} as ${other}`).toBe(false)
  }
})

test('this service reads the lists of all types that @owf/eudi-lote signs', async () => {
  const { leaf, root } = await newLoteSigner()
  const [authority, revoker] = [
    await newCertificate({ name: 'Authority', ca: true }),
    await newCertificate({ name: 'Revoker', ca: true }),
  ]
  const key = KeyObject.from(leaf.keys.privateKey as never)
  for (const type of loteTypeNames) {
    const { loteType, statusDetermination, communityRules, services, entityUri, history } = loteProfiles[type]
    const named = (identifier: string, certificate: typeof authority) =>
      serviceOf().name('Service').type(identifier).addCertificate(derOf(certificate).toString('base64')).build()
    const entity = trustedEntity()
      .name('Provider')
      .postalAddress({ StreetAddress: 'Street 1', Locality: 'City', PostalCode: '1000', Country: 'BE' })
      .email('a@provider.example')
      .infoUri(entityUri ? `${entityUri}BE` : 'https://provider.example')
      .addService(named(services.issuance, authority))
      .addService(named(services.revocation, revoker))
      .build()
    const lote = createLoTE(
      {
        ...{ LoTEType: loteType, SchemeTerritory: 'EU', LoTESequenceNumber: 3 },
        ...{ SchemeOperatorName: [{ lang: 'en', value: 'Operator' }] },
        StatusDeterminationApproach: statusDetermination[0],
        SchemeTypeCommunityRules: [{ lang: 'en', uriValue: communityRules }],
        ...(typeof history === 'number' && { HistoricalInformationPeriod: history }),
      },
      [entity],
    )
    expect(validateLoTEProfile(lote, profiles[type]), type).toEqual({ valid: true, errors: [] })
    const { jws } = await signLoTE({
      ...{ lote, keyId: 'signer', certificates: [pemOf(leaf)] },
      signer: async (input: Uint8Array | string) =>
        sign('sha256', Buffer.from(input as string), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    })
    const asked = { format: 'etsi-lote', loteType: type, anchors: [pemOf(root)], at: new Date() } as const
    expect(readIntegratedList({ ...asked, bytes: Buffer.from(jws) }), type).toMatchObject({
      list: { number: 3, entries: [{ services: ['issuance'] }, { services: ['revocation'] }], skipped: { count: 0 } },
    })
  }
})
