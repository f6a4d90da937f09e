import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEphemeralKeys } from '../../api/cli/trustwright/ceremony/ceremony-keys.ts'
import { verifyCeremony } from '../../api/cli/trustwright/ceremony/verify-ceremony.ts'
import { ecosystemCas, iacas, signersPath } from '../certificates/hierarchy.ts'
import { crlItem, newCeremony, rootItem } from '../harness/ceremony.ts'
import { mdlClaims, mdlConfiguration, mdlNamespace, mdlType, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { verifyMdoc } from '../verifiers/mdoc-verifiers.ts'
import { openssl, verifyStrictly } from '../verifiers/openssl.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

/** The keys of the root are in the test and never in the service. */
const keys = createEphemeralKeys()
const ceremonies: ReturnType<typeof newCeremony>[] = []
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  for (const ceremony of ceremonies) ceremony.end()
  await service[Symbol.asyncDispose]()
})

const rootOfListsItem = {
  ...{ id: 'root', kind: 'ecosystem-ca', validity: { years: 10 }, crlUrl: rootItem.crlUrl },
  subject: { country: 'NZ', organisationName: 'Aotearoa', commonName: 'Aotearoa root' },
}

function create(make: object[]) {
  const ceremony = newCeremony(make)
  ceremonies.push(ceremony)
  return ceremony
}
const textOf = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

/** Signs the request of a signer in a second ceremony. */
async function certify(kind: string, { root, csr }: { root: string; csr: string }): Promise<string> {
  const ceremony = create([])
  const item = {
    ...{ id: 'signer', kind, validity: { days: 400 } },
    issuer: ceremony.addFile('root.pem', root),
    request: ceremony.addFile('signer.csr.pem', csr),
  }
  ceremony.write({ ...ceremony.content, make: [item] })
  const out = await ceremony.run('out', keys)
  expect((await verifyCeremony(out)).faults).toEqual([])
  return textOf(out, 'signer.pem')
}

test('a driving licence is issued under a root whose key the service never had', async () => {
  const out = await create([rootItem, crlItem]).run('out', keys)
  const root = textOf(out, 'root.pem')
  const { operator } = service
  const iaca = await operator.post(iacas, { certificatePem: root, active: true })
  expect(iaca).toMatchObject({ status: 201, body: { isManaged: false, active: true } })
  const signers = signersPath('document-signer')
  const { body: signer } = await operator.post(signers, { iacaId: iaca.body.id })
  const certificatePem = await certify('document-signer', { root, csr: signer.csrPem })
  const stored = await operator.put(`${signers}/${signer.id}`, { active: true, certificatePem })
  expect(stored).toMatchObject({ status: 200, body: { active: true, certificatePem } })
  const chain = { leaf: certificatePem, root, crl: readFileSync(join(out, 'root-crl.crl')) }
  expect(await verifyStrictly(chain, service.clock.now())).toBe('leaf.pem: OK\n')

  const offer = await newOffer(service, [await mdlConfiguration(service)], { claims: mdlClaims })
  const key = await newHolderKey()
  const wallet = await newWallet(service, service.origin, offer.uri, key)
  const { body } = await wallet.collect()
  const [{ credential }] = body.credentials
  await verifyMdoc({ credential, docType: mdlType, root, key }, { [mdlNamespace]: ['family_name'] })
})

test.each(['status-list-signer', 'sd-jwt-signer', 'vical-signer', 'rical-signer'] as const)(
  'a ceremony certifies a %s, and the service accepts it',
  async (kind) => {
    const isOfIaca = kind === 'status-list-signer' || kind === 'sd-jwt-signer'
    const root = textOf(await create([isOfIaca ? rootItem : rootOfListsItem]).run('out', keys), 'root.pem')
    const { operator } = await service.addTenant()
    const ca = await operator.post(isOfIaca ? iacas : ecosystemCas, { certificatePem: root, active: true })
    expect(ca).toMatchObject({ status: 201 })
    const authority = isOfIaca ? { iacaId: ca.body.id } : { caId: ca.body.id }
    const { body: signer } = await operator.post(signersPath(kind), authority)
    const certificatePem = await certify(kind, { root, csr: signer.csrPem })
    expect(await operator.put(`${signersPath(kind)}/${signer.id}`, { active: true, certificatePem })).toMatchObject({
      status: 200,
      body: { active: true, certificatePem },
    })
    const files = { 'root.pem': root, 'leaf.pem': certificatePem }
    expect(await openssl(['verify', '-x509_strict', '-CAfile', 'root.pem', 'leaf.pem'], files)).toBe('leaf.pem: OK\n')
  },
)

test('a request that was changed, or that another key signed, is named', async () => {
  const root = textOf(await create([rootItem]).run('out', keys), 'root.pem')
  const { operator } = await service.addTenant()
  const { body: iaca } = await operator.post(iacas, { certificatePem: root, active: true })
  const { body: signer } = await operator.post(signersPath('document-signer'), { iacaId: iaca.id })
  const der = Buffer.from(signer.csrPem.replace(/-----.*-----/g, ''), 'base64')
  der[der.length - 1]! ^= 1
  const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
  await expect(certify('document-signer', { root, csr: changed })).rejects.toThrow(
    /make\.0\.request: signer\.csr\.pem: The certificate request is not signed by its own key/,
  )
  await expect(certify('document-signer', { root, csr: root })).rejects.toThrow(
    /make\.0\.request: signer\.csr\.pem: The file is not one certificate request in PEM/,
  )
  const rootOfLists = textOf(await create([rootOfListsItem]).run('out', keys), 'root.pem')
  const underOther = certify('document-signer', { root: rootOfLists, csr: signer.csrPem })
  await expect(underOther).rejects.toThrow(/make\.0\.issuer: root\.pem: It has no issuerAltName/)
})
