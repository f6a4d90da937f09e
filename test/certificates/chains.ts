import { X509Certificate } from 'node:crypto'
import { type ChainQuestion, verifyChain } from '../../shared/formats/x509-chain.ts'
import {
  type CertificateOptions,
  type Certified,
  derOf,
  extension,
  newCertificate,
  opensslVerdict,
  purposesExtension,
} from './certificates.ts'

const hourMs = 3_600_000
export const over = new Date(Date.now() - hourMs)
export const toCome = new Date(Date.now() + hourMs)

type Changes = Partial<CertificateOptions>

export const newRoot = (changes: Changes = {}) => newCertificate({ name: 'Root', ca: true, ...changes })
export const under = (issuer: Certified, name: string, changes: Changes = {}) =>
  newCertificate({ name, issuer, ca: true, ...changes })
export const leafUnder = (issuer: Certified, changes: Changes = {}) =>
  newCertificate({ name: 'Leaf', issuer, ...changes })

/** Leaf, authority and root, each with changes. */
export async function three(leaf: Changes = {}, authority: Changes = {}, root: Changes = {}) {
  const top = await newRoot(root)
  const middle = await under(top, 'Authority', authority)
  return { root: top, middle, leaf: await leafUnder(middle, leaf) }
}

export interface Row {
  chain: Certified[]
  roots: Certified[]
  flags?: string[]
  question?: Partial<ChainQuestion>
}

/** Changes of leaf, authority and root of a chain without the root. */
export const changed = (leaf: Changes, authority?: Changes, root?: Changes) => async (): Promise<Row> => {
  const made = await three(leaf, authority, root)
  return { chain: [made.leaf, made.middle], roots: [made.root] }
}
export const arranged = (arrange: (made: Awaited<ReturnType<typeof three>>) => Row | Promise<Row>) => async () =>
  arrange(await three())

export const unknown = (critical: boolean) => ({
  extensions: [extension('1.3.6.1.4.1.55555.1', critical, [5, 0])],
})
export const purposes = (ids: string[], critical = false) => ({ extensions: [purposesExtension(ids, critical)] })
export const asked = (row: () => Promise<Row>, question: Partial<ChainQuestion>) => async () => ({
  ...(await row()),
  question,
})

export const parsed = (certified: Certified) => new X509Certificate(derOf(certified))

/** Returns our verdict and that of `openssl verify -x509_strict`. */
export async function verdictsOf({ chain, roots, flags, question }: Row): Promise<{ ours: string; openssl: string }> {
  const verdict = verifyChain({ chain: chain.map(parsed), roots: roots.map(parsed), at: new Date(), ...question })
  return { ours: verdict.isTrusted ? 'ok' : verdict.fault, openssl: await opensslVerdict(chain, roots, flags) }
}
