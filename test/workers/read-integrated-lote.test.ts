import { expect, test } from 'vitest'
import { loteProfiles, loteTypeNames } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import type { ListToVerify } from '../../workers/integrations/external-list.ts'
import { readIntegratedList } from '../../workers/integrations/read-integrated-list.ts'
import { derOf, KeyUsageFlags, newCertificate, pemOf, purposesExtension } from '../certificates/certificates.ts'
import { type Json, type JwsChanges, loteOf, newLoteSigner } from '../servers/foreign-lote.ts'

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs)
const [signer, stranger, authority, other] = await Promise.all([
  newLoteSigner(),
  newLoteSigner(),
  newCertificate({ name: 'Authority', ca: true }),
  newCertificate({ name: 'Other', ca: true }),
])
const anchors = [pemOf(signer.root)]

function reading(bytes: Uint8Array, more: Partial<ListToVerify> = {}) {
  const answer = readIntegratedList({
    ...{ bytes, format: 'etsi-lote', loteType: 'pid-providers', anchors, at: new Date() },
    ...more,
  })

  return 'failed' in answer ? answer.failed.type : answer.list
}

test.each(loteTypeNames)('a list of the type %s is read, with the services of its certificates', (type) => {
  const bytes = signer.signLote(loteOf([authority], { type, number: 7 }, [other]))
  expect(reading(bytes, { loteType: type, types: ['a type'] })).toMatchObject({
    number: 7,
    root: pemOf(signer.root).replace(/\n*$/, '\n'),
    entries: [
      { name: 'Provider', services: ['issuance'], docTypes: ['a type'] },
      { services: ['revocation'], docTypes: [] },
    ],
    skipped: { count: 0 },
  })
  for (const loteType of loteTypeNames.filter((each) => each !== type)) {
    expect(reading(bytes, { loteType })).toBe('WrongType')
  }
})

test('a trust anchor is an authority or the signer itself, and without one the root of the first list is pinned', async () => {
  const bytes = signer.signLote(loteOf([authority]))
  expect(reading(bytes, { anchors: [pemOf(signer.leaf)] })).toMatchObject({
    root: pemOf(signer.leaf).trim().concat('\n'),
  })
  expect(reading(bytes, { anchors: [pemOf(stranger.root), pemOf(signer.root)] })).toMatchObject({ entries: [{}] })
  const selfSigned = await newLoteSigner()
  const own = await newCertificate({ name: 'Self', usage: KeyUsageFlags.digitalSignature })
  const bySelf = selfSigned.signLote(loteOf([authority]), { by: own, chain: [own] })
  expect(reading(bySelf, { anchors: [pemOf(own)] })).toMatchObject({ entries: [{}] })
  expect(reading(bySelf)).toBe('ChainInvalid')
  expect(reading(bytes, { anchors: [] })).toBe('RootMissing')
  const withRoot = signer.signLote(loteOf([]), { chain: [signer.leaf, signer.root] })
  expect(reading(withRoot, { anchors: [] })).toMatchObject({ entries: [] })
  expect(reading(bytes, { anchors: [], pinnedRoot: pemOf(signer.root) })).toMatchObject({ entries: [{}] })
  expect(reading(bytes, { anchors: [], pinnedRoot: pemOf(other) })).toBe('RootChanged')
})

test('lists signed with RSA and with Ed25519 are read', async () => {
  for (const kind of ['RSA-2048', 'Ed25519'] as const) {
    const { root, signLote } = await newLoteSigner({ kind })
    const header = kind === 'Ed25519' ? { alg: 'EdDSA' } : {}
    const asked = { anchors: [pemOf(root)] }
    expect(reading(signLote(loteOf([authority]), { header }), asked), kind).toMatchObject({ entries: [{}] })
    expect(reading(signLote(loteOf([authority]), { header: { alg: 'PS256' } }), asked), kind).toBe('SignatureInvalid')
  }
})

test('a service that was withdrawn, has no certificate or an unreadable one is skipped', () => {
  const { services } = loteProfiles['pub-eaa-providers']
  const status = (name: string) => ({
    ServiceStatus: `http://uri.etsi.org/19602/PubEAAProvidersList/SvcStatus/${name}`,
  })
  const service = (identity: Json, more: Json = {}) => ({
    ServiceInformation: {
      ...{ ServiceName: [{ lang: 'de', value: 'Dienst' }], ServiceTypeIdentifier: services.issuance },
      ...{ ServiceDigitalIdentity: identity, ...more },
    },
  })
  const certificate = { X509Certificates: [{ val: derOf(authority).toString('base64') }] }
  const change = (lote: Json) => {
    lote.TrustedEntitiesList[0].TrustedEntityServices = [
      service(certificate, status('withdrawn')),
      service({ X509SKIs: ['AAAA'] }),
      service({ X509Certificates: [{ val: 'AAAA' }] }),
      service({ X509Certificates: [{ val: Buffer.alloc(20_000).toString('base64') }] }),
      service({ X509Certificates: [{ val: derOf(other).toString('base64') }] }, status('notified')),
    ]
  }
  const lote = loteOf([authority], { type: 'pub-eaa-providers', change })
  const list = reading(signer.signLote(lote), { loteType: 'pub-eaa-providers' })
  expect(list).toMatchObject({ entries: [{}], skipped: { count: 4 } })
  expect(typeof list === 'object' && list.skipped.first.map(({ reason }) => reason)).toEqual([
    'the status of the service is not notified',
    'the service has no certificate',
    'the certificate cannot be read',
    'the certificate is too large',
  ])
})

const deep = `${'{"LoTE":'.repeat(40)}1${'}'.repeat(40)}`
const good = () => loteOf([authority])
const twice = JSON.stringify(good()).replace('"LoTESequenceNumber":1', '"LoTESequenceNumber":1,"LoTESequenceNumber":2')
const scheme = (name: string, value: Json): BrokenList => ({
  change: (lote) => {
    lote.ListAndSchemeInformation[name] = value
  },
})
const entity = (edit: (entity: Json) => void): BrokenList => ({ change: (lote) => edit(lote.TrustedEntitiesList[0]) })
const service = (name: string, value: Json): BrokenList =>
  entity((each) => {
    each.TrustedEntityServices[0].ServiceInformation[name] = value
  })
const uri = (uriValue: string) => [{ lang: 'en', uriValue }]
const entityUri = loteProfiles['pid-providers'].entityUri

interface BrokenList {
  change?: (lote: Json) => void
  jws?: JwsChanges
  bytes?: (bytes: Buffer) => Buffer
  asked?: Partial<ListToVerify>
}

const broken: [name: string, type: string, list: BrokenList][] = [
  ['an empty file', 'NotAList', { bytes: () => Buffer.alloc(0) }],
  ['a page', 'NotAList', { bytes: () => Buffer.from('<html>') }],
  ['JSON without a signature', 'NotAList', { bytes: () => Buffer.from(JSON.stringify(good())) }],
  ['two parts', 'NotAList', { bytes: (bytes) => Buffer.from(bytes.toString().split('.').slice(0, 2).join('.')) }],
  ['four parts', 'NotAList', { bytes: (bytes) => Buffer.concat([bytes, Buffer.from('.AAAA')]) }],
  ['padding', 'NotAList', { bytes: (bytes) => Buffer.concat([bytes, Buffer.from('=')]) }],
  ['a header that is no JSON', 'NotAList', { bytes: (bytes) => Buffer.concat([Buffer.from('A'), bytes]) }],
  [
    'a header with a member twice',
    'NotAList',
    { bytes: (bytes) => withHeader(bytes, '{"alg":"ES256","alg":"ES256"}') },
  ],
  ['a header that is too deep', 'NotAList', { jws: { header: { kid: [[[[[1]]]]] } } }],
  ['no alg', 'NotAList', { jws: { header: { alg: undefined } } }],
  ['the alg none', 'AlgorithmRefused', { jws: { header: { alg: 'none' } } }],
  ['a symmetric alg', 'AlgorithmRefused', { jws: { header: { alg: 'HS256' } } }],
  ['an unknown alg', 'AlgorithmRefused', { jws: { header: { alg: 'ES256K' } } }],
  ['the alg of another curve', 'SignatureInvalid', { jws: { header: { alg: 'ES384' } } }],
  ['the alg of another key', 'SignatureInvalid', { jws: { header: { alg: 'RS256' } } }],
  ['the type of another JWT', 'NotAList', { jws: { header: { typ: 'dc+sd-jwt' } } }],
  ['critical extensions', 'NotAList', { jws: { header: { crit: ['exp'], exp: 1 } } }],
  ['a payload that is not encoded', 'NotAList', { jws: { header: { b64: false } } }],
  ['a detached payload', 'NotAList', { jws: { header: { sigD: {} } } }],
  ['no x5c', 'NotAList', { jws: { header: { x5c: undefined } } }],
  ['an x5c that is a text', 'NotAList', { jws: { header: { x5c: 'AAAA' } } }],
  ['an x5c without certificates', 'ChainInvalid', { jws: { header: { x5c: ['AAAA'] } } }],
  ['the digest of another certificate', 'NotAList', { jws: { header: { 'x5t#S256': 'AAAA' } } }],
  ['an unknown digest', 'NotAList', { jws: { header: { 'x5t#o': { digAlg: 'S1', digVal: 'AAAA' } } } }],
  ['a signer of another root', 'ChainInvalid', { jws: { by: stranger.leaf, chain: [stranger.leaf] } }],
  ['a signature of another key', 'SignatureInvalid', { jws: { by: stranger.leaf } }],
  ['a changed signature', 'SignatureInvalid', { bytes: (bytes) => flipped(bytes, 5) }],
  ['a chain that is too long', 'ChainInvalid', { jws: { chain: Array.from({ length: 7 }, () => signer.leaf) } }],
  ['a payload that is no JSON', 'NotAList', { jws: { payload: '{"LoTE":' } }],
  ['a payload that is not UTF-8', 'NotAList', { jws: { payload: Buffer.from('"\xff"', 'latin1') } }],
  ['a payload with a member twice', 'NotAList', { jws: { payload: twice } }],
  ['a payload that is too deep', 'NotAList', { jws: { payload: deep } }],
  ['a payload without LoTE', 'NotAList', { jws: { payload: JSON.stringify(good().LoTE) } }],
  ['no entities', 'NotAList', { change: (lote) => delete lote.TrustedEntitiesList }],
  ['entities that are no list', 'NotAList', { change: (lote) => (lote.TrustedEntitiesList = {}) }],
  ['no name of the operator', 'NotAList', scheme('SchemeOperatorName', [])],
  ['a sequence number that is a text', 'NotAList', scheme('LoTESequenceNumber', '1')],
  ['the sequence number 0', 'NotAList', scheme('LoTESequenceNumber', 0)],
  ['a date without a zone', 'NotAList', scheme('ListIssueDateTime', '2026-01-01T00:00:00')],
  ['no next update', 'NotAList', scheme('NextUpdate', undefined)],
  ['a service without identity', 'NotAList', service('ServiceDigitalIdentity', {})],
  ['an entity without services', 'NotAList', entity((each) => (each.TrustedEntityServices = []))],
  ['an address without a country', 'NotAList', entity((each) => delete addressOf(each).Country)],
  ['no type of list', 'WrongType', scheme('LoTEType', undefined)],
  ['an unknown type of list', 'WrongType', scheme('LoTEType', 'http://uri.etsi.org/19602/LoTEType/local')],
  ['another version', 'ProfileInvalid', scheme('LoTEVersionIdentifier', 2)],
  ['another status determination', 'ProfileInvalid', scheme('StatusDeterminationApproach', 'https://a.example')],
  ['the territory of a member state', 'ProfileInvalid', scheme('SchemeTerritory', 'DE')],
  ['other community rules', 'ProfileInvalid', scheme('SchemeTypeCommunityRules', uri('https://a.example'))],
  ['a history', 'ProfileInvalid', scheme('HistoricalInformationPeriod', 65_535)],
  ['a validity of more than six months', 'ProfileInvalid', scheme('NextUpdate', inHours(187 * 24).toISOString())],
  ['an end before its start', 'ProfileInvalid', scheme('NextUpdate', inHours(-1).toISOString())],
  ['a service of another type', 'ProfileInvalid', service('ServiceTypeIdentifier', 'https://a.example')],
  ['a service with a status', 'ProfileInvalid', service('ServiceStatus', 'https://a.example')],
  [
    'an entity without its country',
    'ProfileInvalid',
    entity((each) => (informationOf(each).TEInformationURI = uri(`${entityUri}`))),
  ],
  ['an entity without its role', 'ProfileInvalid', entity((each) => delete informationOf(each).TEInformationURI)],
  ['a future date', 'DateInFuture', scheme('ListIssueDateTime', inHours(0.1).toISOString())],
  ['an expired list', 'Expired', { asked: { at: inHours(181 * 24), anchors: [pemOf(signer.leaf)] } }],
  ['an earlier date', 'Outdated', { asked: { lastDate: inHours(0.01) } }],
  ['a lower sequence number', 'Outdated', { asked: { lastNumber: 2 } }],
  ['only unreadable certificates', 'NoUsableEntries', service('ServiceDigitalIdentity', { X509SKIs: ['AAAA'] })],
]

test.each(broken)('a list with %s is refused as %s', (_name, type, { change, jws, bytes = (each) => each, asked }) => {
  const lote = loteOf([authority], change ? { change } : {})
  expect(reading(bytes(signer.signLote(lote, jws)), asked)).toBe(type)
})

test('at least 50 kinds of broken lists are refused', () => {
  expect(broken.length).toBeGreaterThan(50)
})

test('a list with more than 20,000 certificates is refused', () => {
  const change = (lote: Json) => {
    const { ServiceInformation: information } = lote.TrustedEntitiesList[0].TrustedEntityServices[0]
    information.ServiceDigitalIdentity.X509Certificates = Array.from({ length: 20_001 }, () => ({ val: 'AAAA' }))
  }
  expect(reading(signer.signLote(loteOf([authority], { change })))).toBe('TooLarge')
})

test('a signer that is not certified for signatures, or has another purpose, is refused', async () => {
  const signedBy = async (changes: Parameters<typeof newLoteSigner>[0]) => {
    const { signLote, root, leaf } = await newLoteSigner(changes)
    const bytes = signLote(loteOf([authority]))
    return [reading(bytes, { anchors: [pemOf(root)] }), reading(bytes, { anchors: [pemOf(leaf)] })]
  }
  const accepted = [{ entries: [{}] }, { entries: [{}] }]
  expect(await signedBy({ usage: KeyUsageFlags.digitalSignature })).toMatchObject(accepted)
  expect(await signedBy({ extensions: [purposesExtension(['0.4.0.2231.3.0'], true)] })).toMatchObject(accepted)
  expect(await signedBy({ extensions: [purposesExtension(['1.0.18013.5.1.2'], true)] })).toEqual(
    Array(2).fill('ChainInvalid'),
  )
  expect(await signedBy({ usage: KeyUsageFlags.keyAgreement })).toEqual(Array(2).fill('ChainInvalid'))
  expect(await signedBy({ notAfter: inHours(-1) })).toEqual(Array(2).fill('ChainInvalid'))
})

const informationOf = (entity: Json) => entity.TrustedEntityInformation
const addressOf = (entity: Json) => informationOf(entity).TEAddress.TEPostalAddress[0]

function flipped(bytes: Buffer, fromEnd: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.write(
    changed.toString('latin1', changed.length - fromEnd, changed.length - fromEnd + 1) === 'A' ? 'B' : 'A',
    changed.length - fromEnd,
  )
  return changed
}

function withHeader(bytes: Buffer, header: string): Buffer {
  const [, body, end] = bytes.toString().split('.')
  return Buffer.from(`${Buffer.from(header).toString('base64url')}.${body}.${end}`)
}
