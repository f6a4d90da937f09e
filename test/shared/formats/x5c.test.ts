import { X509Certificate } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { certificateFromDer } from '../../../shared/formats/certificate.ts'
import { verifyX5c } from '../../../shared/formats/x5c.ts'
import { verifyChain } from '../../../shared/formats/x509-chain.ts'
import {
  base64Of,
  type Certified,
  derOf,
  extension,
  newCertificate,
  pemOf,
  withUnknownKey,
} from '../../certificates/certificates.ts'
import { leafUnder, newRoot, parsed, three, under } from '../../certificates/chains.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const refused = (message: string) => expect.objectContaining({ code: 'invalid_certificate', message })

test('a valid x5c gives the key of its leaf', async () => {
  const { leaf, middle, root } = await three()
  const at = new Date()
  const certified = verifyX5c([leaf, middle].map(base64Of), [pemOf(root)], at)
  expect(certified).toEqual({
    publicJwk: parsed(leaf).publicKey.export({ format: 'jwk' }),
    rootFingerprint: parsed(root).fingerprint256,
    hasRoot: false,
  })
  expect(verifyX5c([leaf, middle, root].map(base64Of), [pemOf(root)], at).hasRoot).toBe(true)
  expect(() => verifyX5c([leaf].map(base64Of), [pemOf(root)], at)).toThrow(
    refused('the chain does not lead to a trusted root'),
  )
})

/** Of a length that needs padding, which not every certificate has. */
async function paddedLeaf(root: Certified): Promise<Certified> {
  const leaf = await leafUnder(root, { name: 'Leaf' })
  return derOf(leaf).length % 3 === 1 ? leaf : paddedLeaf(root)
}

test('a certificate has one spelling in an x5c: base64 with padding', async () => {
  const root = await newRoot()
  const leaf = await paddedLeaf(root)
  const plain = base64Of(leaf)
  const der = derOf(leaf)
  const read = (text: string) => verifyX5c([text], [pemOf(root)], new Date())
  expect(read(plain)).toBeDefined()
  const last = plain.charCodeAt(plain.length - 3)
  const spellings = {
    'without padding': plain.slice(0, -2),
    'with half of its padding': plain.slice(0, -1),
    'with more padding': `${plain}==`,
    'with bits set in its padding': `${plain.slice(0, -3)}${String.fromCharCode(last + 1)}==`,
    'with a line break at the end': `${plain}\n`,
    'in lines': plain.replace(/.{64}/g, '$&\r\n'),
    'with a space before it': ` ${plain}`,
    'in base64url': der.toString('base64url'),
    'with what is no base64': `${plain.slice(0, 8)}*${plain.slice(8)}`,
    'that is empty': '',
  }
  const isAnother = Object.entries(spellings).filter(([, text]) => text !== plain)
  for (const [what, text] of isAnother) expect(() => read(text), what).toThrow(/base64|not a certificate/)
  expect(isAnother).toHaveLength(10)

  const bytes = {
    'in PEM': Buffer.from(pemOf(leaf)),
    'and more': Buffer.concat([der, Buffer.from([0])]),
    'and another': Buffer.concat([der, derOf(root)]),
    'cut short': der.subarray(0, -1),
  }
  for (const [what, each] of Object.entries(bytes)) {
    const text = each.toString('base64')
    expect(() => read(text), what).toThrow(expect.objectContaining({ code: 'invalid_certificate' }))
    expect(() => certificateFromDer(each), what).toThrow(expect.objectContaining({ code: 'invalid_certificate' }))
  }
})

test('a certificate has a maximum size', async () => {
  const root = await newRoot()
  const withFiller = (bytes: number) =>
    leafUnder(root, { extensions: [extension('1.3.6.1.4.1.55555.1', false, new Array(bytes).fill(0))] })
  const read = (leaf: Certified) => verifyX5c([base64Of(leaf)], [pemOf(root)], new Date())
  expect(read(await withFiller(9_000))).toBeDefined()
  const tooLarge = await withFiller(10_000)
  expect(() => read(tooLarge)).toThrow(refused('a certificate is too large'))
})

test('a chain costs one signature check per certificate, and at most one without a trusted signature', async () => {
  const root = await newRoot()
  const first = await under(root, 'First')
  const second = await under(first, 'Second')
  const chain = [await leafUnder(second), second, first].map(parsed)
  const roots = [parsed(root)]
  const verify = vi.spyOn(X509Certificate.prototype, 'verify')
  expect(verifyChain({ chain, roots, at: new Date() })).toMatchObject({ isTrusted: true })
  expect(verify).toHaveBeenCalledTimes(3)

  const stranger = await newCertificate({ name: 'Root', ca: true, hasIdentifiers: false })
  const theirs = await under(stranger, 'Theirs', { hasIdentifiers: false })
  const next = await under(theirs, 'Next')
  const forged = [await leafUnder(next), next, theirs].map(parsed)
  verify.mockClear()
  expect(verifyChain({ chain: forged, roots, at: new Date() })).toMatchObject({ fault: 'signature' })
  expect(verifyChain({ chain: [...forged, parsed(stranger)], roots, at: new Date() })).toMatchObject({
    fault: 'signature',
  })
  expect(verify).toHaveBeenCalledTimes(2)
})

test('an accepted x5c is not verified again under the same roots', async () => {
  const { leaf, middle, root } = await three()
  const x5c = [leaf, middle].map(base64Of)
  const [roots, at] = [[pemOf(root)], new Date()]
  const first = verifyX5c(x5c, roots, at)
  const verify = vi.spyOn(X509Certificate.prototype, 'verify')
  expect(verifyX5c([...x5c], [...roots], at)).toEqual(first)
  expect(verify).not.toHaveBeenCalled()
  const other = await newRoot({ name: 'Other' })
  expect(verifyX5c(x5c, [pemOf(other), pemOf(root)], at)).toEqual(first)
  expect(verify).toHaveBeenCalled()
  expect(() => verifyX5c(x5c, [pemOf(other)], at)).toThrow(refused('the chain does not lead to a trusted root'))
  // The authority is trusted itself now.
  const rootFingerprint = parsed(middle).fingerprint256
  expect(verifyX5c(x5c, [...roots, pemOf(middle)], at)).toEqual({ ...first, rootFingerprint, hasRoot: true })
})

test.each(['leaf', 'authority', 'root'])('an accepted x5c is refused when its %s is not valid', async (name) => {
  const at = new Date()
  const times = (own: string) =>
    own === name ? { notBefore: new Date(at.getTime() - 60_000), notAfter: new Date(at.getTime() + 60_000) } : {}
  const { leaf, middle, root } = await three(times('leaf'), times('authority'), times('root'))
  const read = (ms: number) => verifyX5c([leaf, middle].map(base64Of), [pemOf(root)], new Date(at.getTime() + ms))
  expect(read(0)).toEqual(read(50_000))
  for (const ms of [-62_000, 62_000]) expect(() => read(ms)).toThrow(refused('a certificate is not valid now'))
  expect(read(0)).toBeDefined()
})

test('most certificates of an x5c of a hundred thousand are not read', async () => {
  const { leaf } = await three()
  const x5c = [...new Array(6).fill(base64Of(leaf)), ...new Array(100_000).fill('no base64')]
  expect(() => verifyX5c(x5c, [], new Date())).toThrow(refused('the chain does not have 1 to 5 certificates'))
})

test('a certificate with an unknown kind of key is refused, also from a trusted authority', async () => {
  const root = await newRoot()
  const leaf = withUnknownKey(await leafUnder(root), root)
  expect(() => verifyX5c([leaf.toString('base64')], [pemOf(root)], new Date())).toThrow(
    refused('a certificate cannot be read'),
  )
})
