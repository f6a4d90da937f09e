import { expect, test } from 'vitest'
import { type ChainFault, verifyChain } from '../../../shared/formats/x509-chain.ts'
import { extension, KeyUsageFlags, newCertificate } from '../../certificates/certificates.ts'
import {
  arranged,
  asked,
  changed,
  leafUnder,
  newRoot,
  over,
  parsed,
  purposes,
  type Row,
  three,
  toCome,
  under,
  unknown,
  verdictsOf,
} from '../../certificates/chains.ts'

const documentSigner = '1.0.18013.5.1.2'
const webServer = '1.3.6.1.5.5.7.3.1'
/** Permits all names under `example`. */
const anyDnsName = [0x30, 0x0d, 0xa0, 0x0b, 0x30, 0x09, 0x82, 0x07, ...Buffer.from('example')]

/** The chain, the verdict of this service, and the verdict of `openssl verify -x509_strict`. */
type Case = [what: string, row: () => Promise<Row>, ours: ChainFault | 'ok', openssl: string]

const alike: Case[] = [
  [
    'a leaf under a root',
    async () => {
      const root = await newRoot()
      return { chain: [await leafUnder(root)], roots: [root] }
    },
    'ok',
    'ok',
  ],
  ['an authority between', changed({}), 'ok', 'ok'],
  [
    'the root as well',
    arranged(({ leaf, middle, root }) => ({ chain: [leaf, middle, root], roots: [root] })),
    'ok',
    'ok',
  ],
  [
    'as many authorities as are allowed',
    async () => {
      const root = await newRoot({ pathLength: 2 })
      const first = await under(root, 'First', { pathLength: 1 })
      const second = await under(first, 'Second', { pathLength: 0 })
      return { chain: [await leafUnder(second), second, first], roots: [root] }
    },
    'ok',
    'ok',
  ],
  ['keys of P-384', changed({ kind: 'P-384' }, { kind: 'P-384' }, { kind: 'P-384' }), 'ok', 'ok'],
  ['authorities of P-521 and Ed25519', changed({}, { kind: 'Ed25519' }, { kind: 'P-521' }), 'ok', 'ok'],
  ['a root of RSA', changed({}, {}, { kind: 'RSA-2048' }), 'ok', 'ok'],
  ['an unknown extension', changed(unknown(false), unknown(false), unknown(false)), 'ok', 'ok'],
  [
    'another root of the same name',
    arranged(async ({ leaf, middle, root }) => ({ chain: [leaf, middle], roots: [await newRoot(), root] })),
    'ok',
    'ok',
  ],
  [
    'a new key of the root, which counts for no length',
    async () => {
      const root = await newRoot({ pathLength: 1 })
      const next = await newCertificate({ name: 'Root', issuer: root, ca: true, pathLength: 1 })
      const authority = await under(next, 'Authority')
      return { chain: [await leafUnder(authority), authority, next], roots: [root] }
    },
    'ok',
    'ok',
  ],
  [
    'an authority that is trusted itself',
    arranged(({ leaf, middle }) => ({ chain: [leaf], roots: [middle], flags: ['-partial_chain'] })),
    'ok',
    'ok',
  ],
  ['an expired leaf', changed({ notAfter: over }), 'not_valid_now', 'certificate has expired'],
  ['an expired authority', changed({}, { notAfter: over }), 'not_valid_now', 'certificate has expired'],
  ['an expired root', changed({}, {}, { notAfter: over }), 'not_valid_now', 'certificate has expired'],
  ['a leaf of tomorrow', changed({ notBefore: toCome }), 'not_valid_now', 'certificate is not yet valid'],
  ['an authority of tomorrow', changed({}, { notBefore: toCome }), 'not_valid_now', 'certificate is not yet valid'],
  ['a root of tomorrow', changed({}, {}, { notBefore: toCome }), 'not_valid_now', 'certificate is not yet valid'],
  [
    'more authorities than the root allows',
    changed({}, {}, { pathLength: 0 }),
    'path_length',
    'path length constraint exceeded',
  ],
  [
    'more authorities than an authority allows',
    async () => {
      const root = await newRoot()
      const first = await under(root, 'First', { pathLength: 0 })
      const second = await under(first, 'Second', { pathLength: 5 })
      return { chain: [await leafUnder(second), second, first], roots: [root] }
    },
    'path_length',
    'path length constraint exceeded',
  ],
  ['an authority that says it is none', changed({}, { ca: false }), 'no_authority', 'invalid CA certificate'],
  [
    'an authority that does not say it is one',
    changed({}, { constraints: 'absent', usage: KeyUsageFlags.keyCertSign }),
    'no_authority',
    'invalid CA certificate',
  ],
  ['a root that says it is none', changed({}, {}, { ca: false }), 'no_authority', 'invalid CA certificate'],
  [
    'an authority whose key signs no certificates',
    changed({}, { usage: KeyUsageFlags.cRLSign }),
    'key_usage',
    'invalid CA certificate',
  ],
  [
    'a root whose key signs no certificates',
    changed({}, {}, { usage: KeyUsageFlags.cRLSign }),
    'key_usage',
    'invalid CA certificate',
  ],
  [
    'an authority that does not say what its key is for',
    changed({}, { usage: null }),
    'key_usage',
    'CA cert does not include key usage extension',
  ],
  [
    'a leaf whose key signs certificates',
    changed({ usage: KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign }),
    'key_usage',
    'Key usage keyCertSign invalid for non-CA cert',
  ],
  ['an unknown critical extension of the leaf', changed(unknown(true)), 'extension', 'unhandled critical extension'],
  [
    'an unknown critical extension of an authority',
    changed({}, unknown(true)),
    'extension',
    'unhandled critical extension',
  ],
  [
    'an unknown critical extension of the root',
    changed({}, {}, unknown(true)),
    'extension',
    'unhandled critical extension',
  ],
  [
    'a leaf that signed itself',
    async () => ({ chain: [await newCertificate({ name: 'Leaf' })], roots: [await newRoot()] }),
    'no_root',
    'self-signed certificate',
  ],
  [
    'a leaf that signed itself with the name and the key of the root',
    async () => {
      const root = await newRoot()
      const { keys } = root
      return { chain: [await newCertificate({ name: 'Root', keys })], roots: [root] }
    },
    'leaf_signed_itself',
    'self-signed certificate',
  ],
  [
    'another root',
    arranged(async ({ leaf, middle }) => ({ chain: [leaf, middle], roots: [await newRoot({ name: 'Other' })] })),
    'no_root',
    'unable to get local issuer certificate',
  ],
  [
    'a root of the name and another key',
    arranged(async ({ leaf, middle }) => ({ chain: [leaf, middle], roots: [await newRoot()] })),
    'issuer',
    'unable to get local issuer certificate',
  ],
  [
    'a leaf that another signed in the name of the authority',
    async () => {
      const { root, middle } = await three()
      const leaf = await leafUnder(middle, { signer: await newRoot() })
      return { chain: [leaf, middle], roots: [root] }
    },
    'signature',
    'certificate signature failure',
  ],
  [
    'an authority that another signed in the name of the root',
    async () => {
      const root = await newRoot()
      const middle = await under(root, 'Authority', { signer: await newRoot() })
      return { chain: [await leafUnder(middle), middle], roots: [root] }
    },
    'signature',
    'certificate signature failure',
  ],
  [
    'a missing authority',
    arranged(({ leaf, root }) => ({ chain: [leaf], roots: [root] })),
    'no_root',
    'unable to get local issuer certificate',
  ],
  ['a root of RSA with 1024 bits', changed({}, {}, { kind: 'RSA-1024' }), 'weak_key', 'CA certificate key too weak'],
  ['an authority of RSA with 1024 bits', changed({}, { kind: 'RSA-1024' }), 'weak_key', 'CA certificate key too weak'],
  ['a leaf of RSA with 1024 bits', changed({ kind: 'RSA-1024' }), 'weak_key', 'EE certificate key too weak'],
  [
    'a leaf signed with SHA-1',
    changed({}, { kind: 'RSA-2048 with SHA-1' }),
    'weak_signature',
    'CA signature digest algorithm too weak',
  ],
  [
    'an authority signed with SHA-1',
    changed({}, {}, { kind: 'RSA-2048 with SHA-1' }),
    'weak_signature',
    'CA signature digest algorithm too weak',
  ],
]

test.each(alike)('%s: OpenSSL has the same verdict', async (_what, row, ours, openssl) => {
  expect(await verdictsOf(await row())).toEqual({ ours, openssl })
})

const stricter: Case[] = [
  // A document of one signer is not signed with the key of an authority.
  ['a leaf that is an authority', changed({ ca: true }), 'leaf_is_authority', 'ok'],
  [
    'a leaf that is trusted itself',
    async () => {
      const root = await newRoot()
      return { chain: [root], roots: [root] }
    },
    'leaf_is_authority',
    'ok',
  ],
  ['a leaf whose key signs no documents', changed({ usage: KeyUsageFlags.keyAgreement }), 'key_usage', 'ok'],
  // RFC 7515, section 4.1.6, gives the order; openssl looks for a path through what it is given.
  [
    'authorities in another order',
    async () => {
      const root = await newRoot()
      const first = await under(root, 'First')
      const second = await under(first, 'Second')
      return { chain: [await leafUnder(second), first, second], roots: [root] }
    },
    'no_root',
    'ok',
  ],
  [
    'the root before the authority',
    arranged(({ leaf, middle, root }) => ({ chain: [leaf, root, middle], roots: [root] })),
    'issuer',
    'ok',
  ],
  [
    'an authority twice',
    arranged(({ leaf, middle, root }) => ({ chain: [leaf, middle, middle], roots: [root] })),
    'duplicate',
    'ok',
  ],
  [
    'the root twice',
    arranged(({ leaf, middle, root }) => ({ chain: [leaf, middle, root, root], roots: [root] })),
    'duplicate',
    'ok',
  ],
  [
    'what does not belong there',
    arranged(async ({ leaf, middle, root }) => {
      const other = await newRoot({ name: 'Other' })
      return { chain: [leaf, middle, other], roots: [root, other] }
    }),
    'issuer',
    'ok',
  ],
  [
    'six certificates',
    async () => {
      const root = await newRoot()
      const chain = [await under(root, 'Authority 1')]
      for (let i = 2; i <= 5; i++) chain.unshift(await under(chain[0]!, `Authority ${i}`))
      return { chain: [await leafUnder(chain[0]!), ...chain], roots: [root] }
    },
    'length',
    'ok',
  ],
  // Purposes: openssl requires none here.
  [
    'a leaf for another purpose',
    asked(changed(purposes([webServer])), { purposes: [documentSigner] }),
    'purpose',
    'ok',
  ],
  ['a leaf without purpose', asked(changed({}), { purposes: [documentSigner] }), 'purpose', 'ok'],
  [
    'an authority for another purpose',
    asked(changed(purposes([documentSigner]), purposes([webServer])), { purposes: [documentSigner] }),
    'purpose',
    'ok',
  ],
  ['a critical purpose, where none is asked for', changed(purposes([webServer], true)), 'extension', 'ok'],
  // RFC 5280, section 4.2.
  [
    'an extension that is there twice',
    changed({ extensions: [...unknown(false).extensions, ...unknown(false).extensions] }),
    'unreadable',
    'ok',
  ],
  // OpenSSL evaluates name constraints. This service refuses certificates that have them.
  [
    'an authority that constrains names',
    changed({}, { extensions: [extension('2.5.29.30', true, anyDnsName)] }),
    'name_constraints',
    'ok',
  ],
]
test.each(stricter)('%s: OpenSSL accepts it, and this service refuses it', async (_what, row, ours, openssl) => {
  expect(await verdictsOf(await row())).toEqual({ ours, openssl })
})

const laxer: Case[] = [
  // RFC 5280 requires these from issuing authorities (section 4.2.1), and not in the verification (section 6.1).
  [
    'no key identifiers',
    changed({ hasIdentifiers: false }, { hasIdentifiers: false }),
    'ok',
    'Missing Authority Key Identifier',
  ],
  [
    'an authority whose constraints are not critical',
    changed({}, { constraints: 'not critical' }),
    'ok',
    'Basic Constraints of CA cert not marked critical',
  ],
  [
    'a root that does not say what its key is for',
    changed({}, {}, { usage: null }),
    'ok',
    'CA cert does not include key usage extension',
  ],
  // What the caller knows.
  [
    'a critical extension that the caller knows',
    asked(changed(unknown(true)), { knownExtensions: ['1.3.6.1.4.1.55555.1'] }),
    'ok',
    'unhandled critical extension',
  ],
]
test.each(laxer)(
  '%s: this service accepts it, and openssl -x509_strict refuses it',
  async (_what, row, ours, openssl) => {
    expect(await verdictsOf(await row())).toEqual({ ours, openssl })
  },
)

test.each([
  ['critical', purposes([documentSigner], true)],
  ['not critical', purposes([webServer, documentSigner])],
])(
  'a leaf with the required purpose, %s, is accepted, also under an authority for any purpose',
  async (_what, leaf) => {
    const { chain, roots } = await changed(leaf, purposes(['2.5.29.37.0']))()
    const question = { chain: chain.map(parsed), roots: roots.map(parsed), at: new Date(), purposes: [documentSigner] }
    expect(verifyChain(question)).toMatchObject({ isTrusted: true })
  },
)

test('a verdict names the root and whether the chain contains it', async () => {
  const { leaf, middle, root } = await three()
  const at = new Date()
  const roots = [await newRoot({ name: 'Other' }), root].map(parsed)
  const short = verifyChain({ chain: [leaf, middle].map(parsed), roots, at })
  const subjects = short.isTrusted ? [short.leaf, short.root].map(({ subject }) => subject) : []
  expect([subjects, short]).toMatchObject([['CN=Leaf', 'CN=Root'], { isTrusted: true, hasRoot: false }])
  expect(verifyChain({ chain: [leaf, middle, root].map(parsed), roots, at })).toMatchObject({ hasRoot: true })
  const later = new Date(Date.now() + 48 * 3_600_000)
  expect(verifyChain({ chain: [leaf, middle].map(parsed), roots, at: later })).toEqual({
    isTrusted: false,
    fault: 'not_valid_now',
    message: 'a certificate is not valid now',
  })
  expect(verifyChain({ chain: [], roots, at })).toMatchObject({ fault: 'length' })
})
