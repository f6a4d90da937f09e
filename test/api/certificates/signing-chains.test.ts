import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import { ecosystemCas, iacas, signersPath } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority, type OpensslAuthority, type Wanted } from '../../certificates/openssl-authority.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { readTrustedList } from '../../harness/trusted-list.ts'
import { openssl } from '../../verifiers/openssl.ts'
import { bytesAt, newEcosystem, newListed, newType } from '../ecosystems/factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const subject = '/C=NZ/O=Aotearoa/CN=Signer'
const listSigner = {
  ...{ keyUsage: 'critical,nonRepudiation', issuerAltName: undefined, extendedKeyUsage: undefined },
}
const extensionsOf: Record<TrustedListKind, Record<string, string | undefined>> = {
  vical: { ...listSigner, extendedKeyUsage: 'critical,1.0.18013.5.1.8' },
  rical: { ...listSigner, certificatePolicies: '1.3.6.1.4.1.55555.1' },
}

/** A signer that waits for its certificate under an unmanaged CA. */
async function newPending(kind: TrustedListKind, wanted: Wanted = {}) {
  const tenant = await service.addTenant()
  const root = await newOpensslAuthority({
    ...{ subject: '/C=NZ/O=Aotearoa/CN=Root', ...wanted },
    extensions: { basicConstraints: 'critical,CA:TRUE', ...wanted.extensions },
  })
  const { body: ca } = await tenant.operator.post(ecosystemCas, { certificatePem: root.pem })
  await tenant.operator.put(`${ecosystemCas}/${ca.id}`, { active: true })
  const { body } = await tenant.operator.post(signersPath(`${kind}-signer`), { caId: ca.id })
  const path = `${signersPath(`${kind}-signer`)}/${body.id}`
  const certify = (issuer: OpensslAuthority, of: Wanted = {}) =>
    issuer.certify(body.csrPem, { subject, extensions: extensionsOf[kind], ...of })
  const put = (...chain: string[]) => tenant.operator.put(path, { active: true, certificatePem: chain.join('') })
  return { tenant, root, path, certify, put }
}

test.each(['vical', 'rical'] as const)(
  'a %s signed below an intermediate authority contains its chain without the root',
  async (kind) => {
    const { tenant, root, path, certify, put } = await newPending(kind)
    const between = await root.subordinate()
    const leaf = await certify(between)
    const { status, body } = await put('subject=CN = Signer\n', leaf, 'Bag Attributes: <No Attributes>\n', between.pem)
    expect([status, body.certificatePem]).toEqual([200, leaf + between.pem])
    expect((await tenant.operator.get(path)).body).toEqual(body)
    expect(body.certificateFingerprint).toBe(fingerprintOf(leaf))

    const ecosystem = await newEcosystem(tenant)
    const credentialId = await newType(tenant, ecosystem, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
    await newListed(tenant, ecosystem, kind === 'vical' ? 'issuer' : 'verifier', { credentialId })
    const lists = `${ecosystem}/${kind}s`
    await tenant.operator.put(`${lists}/configuration`, { [`${kind}Provider`]: 'One' })
    expect(await tenant.operator.post(lists)).toMatchObject({ status: 201 })
    const { bytes } = await bytesAt(service, tenant, `${lists}/public/latest`)
    const roots = [new X509Certificate(root.pem)]
    const list = readTrustedList(bytes, { kind, roots, at: service.clock.now() })
    expect(list.chain.map(String)).toEqual([leaf, between.pem])
    const files = { 'root.pem': root.pem, 'between.pem': between.pem, 'leaf.pem': list.chain[0]!.toString() }
    const words = ['verify', '-x509_strict', '-CAfile', 'root.pem', '-untrusted', 'between.pem', 'leaf.pem']
    expect(await openssl(words, files)).toBe('leaf.pem: OK\n')

    // Another certificate for the same key, signed by the root itself.
    const direct = await certify(root)
    expect(await put(direct)).toMatchObject({ status: 200, body: { certificatePem: direct } })
  },
)

test('a deleted active RICAL signer leaves its lists valid, and the next list needs another signer', async () => {
  const { tenant, root, path, certify, put } = await newPending('rical')
  const { operator } = tenant
  const { body: signer } = await put(await certify(root))
  const ecosystem = await newEcosystem(tenant)
  const credentialId = await newType(tenant, ecosystem, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  await newListed(tenant, ecosystem, 'verifier', { credentialId })
  const lists = `${ecosystem}/ricals`
  await operator.put(`${lists}/configuration`, { ricalProvider: 'One' })
  expect(await operator.post(lists)).toMatchObject({ status: 201 })
  const before = await bytesAt(service, tenant, `${lists}/public/latest`)

  expect(await operator.delete(path)).toMatchObject({ status: 204 })
  expect(await operator.get(path)).toMatchObject({ status: 404 })
  const after = await bytesAt(service, tenant, `${lists}/public/latest`)
  expect(after).toMatchObject({ status: 200, bytes: before.bytes })
  const roots = [new X509Certificate(root.pem)]
  expect(readTrustedList(after.bytes, { kind: 'rical', roots, at: service.clock.now() })).toBeDefined()
  expect((await operator.post(lists)).status).toBe(400)

  const { body: next } = await operator.post(signersPath('rical-signer'), { caId: signer.caId })
  const certificatePem = await root.certify(next.csrPem, { subject, extensions: extensionsOf.rical })
  await operator.put(`${signersPath('rical-signer')}/${next.id}`, { active: true, certificatePem })
  expect(await operator.post(lists)).toMatchObject({ status: 201 })
})

test('a chain that does not lead to its CA is refused with the reason', async () => {
  const { tenant, root, path, certify, put } = await newPending('vical')
  const otherRoot = await newOpensslAuthority({ extensions: { basicConstraints: 'critical,CA:TRUE' } })
  const [between, foreign, noAuthority, brief, lasting] = await Promise.all([
    root.subordinate(),
    otherRoot.subordinate(),
    root.subordinate({ extensions: { basicConstraints: 'critical,CA:FALSE' } }),
    root.subordinate({ days: 100 }),
    root.subordinate({ days: 2000 }),
  ])
  const [leaf, ofRoot] = [await certify(between), await certify(root)]
  const refused: [string, string[]][] = [
    ['must come first', [between.pem, leaf]],
    ['Leave it out', [ofRoot, root.pem]],
    ['not signed by the key of the second certificate', [ofRoot, between.pem]],
    ['not signed by the key of the ecosystem CA', [leaf]],
    ['The second certificate: Its issuer is not the name of the ecosystem CA', [await certify(foreign), foreign.pem]],
    ['do not say that it is an authority', [await certify(noAuthority), noAuthority.pem]],
    ['exceeds the validity of the second certificate', [await certify(brief), brief.pem]],
    ['It is valid for longer than 1187 days', [await certify(lasting, { days: 1188 }), lasting.pem]],
    ['Must be one certificate in PEM', [leaf, between.pem, root.pem]],
  ]
  for (const [msg, chain] of refused) {
    const detail = { param: 'certificatePem', location: 'body', msg: expect.stringContaining(msg) }
    expect(await put(...chain), msg).toMatchObject({
      status: 400,
      body: { details: expect.arrayContaining([expect.objectContaining(detail)]) },
    })
  }
  expect((await tenant.operator.get(path)).body).toMatchObject({ active: false })
})

test('a CA with pathLen 0 refuses an intermediate authority, and an IACA must certify its signers itself', async () => {
  const { root, certify, put } = await newPending('vical', {
    extensions: { basicConstraints: 'critical,CA:TRUE,pathlen:0' },
  })
  const between = await root.subordinate()
  expect(await put(await certify(between), between.pem)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'certificatePem', msg: expect.stringContaining('pathLen is 0') }] },
  })
  const { operator } = await service.addTenant()
  const iaca = await newOpensslAuthority()
  const { body } = await operator.post(iacas, { certificatePem: iaca.pem })
  const signer = (await operator.post(signersPath('document-signer'), { iacaId: body.id })).body
  const certificatePem = (await iaca.certify(signer.csrPem)) + iaca.pem
  expect(
    await operator.put(`${signersPath('document-signer')}/${signer.id}`, { active: true, certificatePem }),
  ).toMatchObject({
    status: 400,
    body: { details: [{ param: 'certificatePem', msg: 'Must be one certificate in PEM' }] },
  })
})

function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
}
