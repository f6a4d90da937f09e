import { made, madeAt, type Replaceable } from './replaceable.ts'

const application = { type: 'web', name: 'Shop', domain: 'shop.example.org' }
const dcqlQuery = { credentials: [{ id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['urn:example:card'] } }] }
const template = { name: 'Card', dcqlQuery }
const openid4vpConfiguration = { authorizationEndpoint: 'haip-vp://' }
const walletProvider = { name: 'Wallet', openid4vpConfiguration }

/** The PUTs of a verifier. */
export const replaceableVerifier: Record<string, Replaceable> = {
  updateVerifierApplication: {
    make: madeAt('/v2/presentations/applications', application),
    full: {
      ...{ ...application, additionalDomains: ['www.shop.example.org'] },
      openid4vpConfiguration: { redirectUris: ['https://shop.example.org/done'] },
      ...{ dcApiConfiguration: { enabled: true }, resultAvailableInFrontChannel: true },
    },
    least: application,
    reset: ['additionalDomains', 'openid4vpConfiguration', 'dcApiConfiguration', 'resultAvailableInFrontChannel'],
  },
  updateVerifierWalletProvider: {
    make: madeAt('/v2/presentations/wallet-providers', walletProvider),
    full: { ...walletProvider, name: 'Other' },
    ...{ least: walletProvider, reset: [] },
  },
  updateVerifierTemplate: {
    make: madeAt('/v2/presentations/templates', template),
    full: async (tenant) => ({
      ...{ ...template, purpose: 'To lend books' },
      trust: { issuers: 'list', ecosystemId: await made(tenant, '/v1/ecosystems', { name: 'Libraries' }) },
      ...{ status: 'required', maxAgeOfStatus: 3_600, keep: 'claims', keepFor: { days: 1 } },
    }),
    least: template,
    reset: ['purpose', 'trust', 'status', 'maxAgeOfStatus', 'keep', 'keepFor'],
    kept: ['dcqlQuery', 'credentialQuery'],
  },
}
