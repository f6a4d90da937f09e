import { KeyObject, X509Certificate } from 'node:crypto'
import { testSigner } from '../harness/test-signer.ts'
import {
  type CertificateOptions,
  type Certified,
  derOf,
  KeyUsageFlags,
  newCertificate,
  purposesExtension,
} from './certificates.ts'

/**
 * A signer of lists under its own root. The certificate follows table C.1 of ISO/IEC 18013-5, except for what the
 * options change.
 */
export async function newListSigner(changes: Partial<CertificateOptions> = {}) {
  const root = await newCertificate({ name: 'Ecosystem', ca: true })
  const extensions = [purposesExtension(['1.0.18013.5.1.8'], true)]
  const leaf = await newCertificate({
    ...{ name: 'Signer', issuer: root, usage: KeyUsageFlags.nonRepudiation, extensions },
    ...changes,
  })
  return { root, leaf, signer: signerOf(leaf), roots: [parsed(root)] }
}

export const signerOf = (leaf: Certified, ...others: Certified[]) => ({
  chain: [leaf, ...others].map(parsed),
  key: testSigner({ privateKey: KeyObject.from(leaf.keys.privateKey as never) }),
})

export const parsed = (certified: Certified) => new X509Certificate(derOf(certified))
