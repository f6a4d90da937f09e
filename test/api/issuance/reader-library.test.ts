import { Openid4vciClient, setGlobalConfig } from '@openid4vc/openid4vci'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Documents, describedConfigurations } from '../../../api/issuance/readers/check.ts'
import { findReaders } from '../../../api/issuance/readers/find-readers.ts'
import { readable, unreadable, withChanges } from './reader-documents.ts'

// Other files of this process allow addresses without TLS.
beforeAll(() => setGlobalConfig({ allowInsecureUrls: false }))
afterAll(() => setGlobalConfig({ allowInsecureUrls: true }))

interface Verdict {
  metadata: boolean
  configurations: string[]
  offer: boolean
}

/** Returns what the library itself reads. */
async function verdictOfLibrary({ issuerMetadata, serverMetadata, offer }: Documents): Promise<Verdict> {
  const answer = (url: string) => (url.includes('openid-credential-issuer') ? issuerMetadata : serverMetadata)
  const refused = () => Promise.reject(new Error('not called'))
  const client = new Openid4vciClient({
    callbacks: {
      fetch: async (url) => Response.json(answer(String(url))),
      ...{ generateRandom: refused, hash: refused, signJwt: refused, clientAuthentication: refused },
    },
  })
  const metadata = await client.resolveIssuerMetadata('https://issuer.example').catch(() => undefined)
  const uri = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
  const read = await client.resolveCredentialOffer(uri).catch(() => undefined)
  return {
    metadata: metadata !== undefined,
    configurations: Object.keys(metadata?.knownCredentialConfigurations ?? {}).sort(),
    offer: read !== undefined,
  }
}

/** Returns what our checks say. The library compares an offer with the metadata only when it requests credentials. */
function verdictOfChecks(documents: Documents): Verdict {
  const [reader] = findReaders(documents, ['credo'])
  const findings = reader?.findings.filter(({ check }) => check !== 'offer_configurations') ?? []
  const refuses = (...parts: string[]) =>
    findings.some(({ affects, part }) => affects === 'issuer' && parts.includes(part))
  const leftOut = findings.flatMap(({ configurationId }) => configurationId ?? [])
  const metadata = !refuses('issuerMetadata', 'serverMetadata')
  const ids = describedConfigurations(documents).map(([id]) => id)
  const configurations = metadata ? ids.filter((id) => !leftOut.includes(id)).sort() : []
  return { metadata, configurations, offer: !refuses('offer') }
}

/** Checks of answers need requests. The installed version of the library does not have the last one yet. */
const ofLibrary = Object.entries(unreadable.credo).filter(
  ([check, [first]]) => !/Answer/.test(first?.[0] ?? '') && check !== 'attestation_algorithms',
)

test('the library of Credo reads the documents that are made for all families', async () => {
  expect(ofLibrary.length).toBeGreaterThanOrEqual(20)
  const verdict = { metadata: true, configurations: ['card', 'licence'], offer: true }
  expect(await verdictOfLibrary(readable)).toEqual(verdict)
  expect(verdictOfChecks(readable)).toEqual(verdict)
})

test.each(ofLibrary)('the library of Credo and the checks agree about %s', async (_check, changes) => {
  const documents = withChanges(...changes)
  expect(verdictOfChecks(documents)).toEqual(await verdictOfLibrary(documents))
})
