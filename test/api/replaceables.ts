import { ecosystemCas, iacas, newEcosystemCa, signersPath } from '../certificates/hierarchy.ts'
import { activeIaca, compactConfiguration, mappingsFrom } from '../harness/factories.ts'
import type { TestTenant } from '../harness/harness.ts'
import { made, madeAt, type Replaceable, rootPem } from './replaceable.ts'
import { replaceableEcosystems } from './replaceable-ecosystems.ts'
import { replaceableRegistration } from './replaceable-registration.ts'
import { replaceableVerifier } from './replaceable-verifier.ts'

const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
const expiresIn = { years: 1, months: 6 }
const display = [{ name: 'Card', locale: 'en' }]
const keyAttestationsRequired = { keyStorage: ['iso_18045_high'] }
const source = {
  ...{ name: 'Register', url: 'https://claims.example' },
  authorization: { type: 'api-key', value: 'a-key-of-the-source' },
}

const common = ['claimSourceId', 'expiresIn', 'keyAttestationsRequired', 'reusePolicy', 'display', 'scope']

const view = { name: 'iOS', profile: 'standard', configurations: { profiles: ['compact'] } }

async function commonFields(tenant: TestTenant) {
  const claimSourceId = await made(tenant, '/v1/claim-sources', source)
  const reusePolicy = { options: [{ methods: ['once_only'], batchSize: 10, reissueTriggerUnused: 2 }] }
  return { claimSourceId, expiresIn, keyAttestationsRequired, reusePolicy, display, scope: 'own-scope' }
}

function configuration(profile: string, settings: { least: object; more: object; reset: string[]; kept?: string[] }) {
  const { least, more, reset, kept = [] } = settings
  return {
    make: madeAt(`/v2/credentials/${profile}/configurations`, least),
    full: async (tenant: TestTenant) => ({ ...least, ...more, ...(await commonFields(tenant)) }),
    ...{ least, reset: [...reset, ...common], kept },
  }
}

const compact = { least: { claimMappings }, more: { type: 'Licence', revocable: true }, reset: ['type', 'revocable'] }
const issuer = { name: 'University' }
const images = { logoUrl: 'https://example.org/logo.png', iconUrl: 'https://example.org/icon.png' }
const webSemantic = {
  least: { name: 'Certificate', type: 'CourseCertificate', issuer, claimMappings },
  more: {
    ...{ description: 'For those who passed', additionalTypes: ['Award'], proofType: 'Ed25519Signature2018' },
    ...{ issuer: { ...issuer, ...images }, contexts: ['https://w3id.org/citizenship/v1'] },
    ...{ credentialBranding: { backgroundColor: '#1f4e79' }, persist: true, revocable: true },
  },
  reset: [
    ...['issuer.logoUrl', 'issuer.iconUrl', 'description', 'additionalTypes', 'contexts', 'credentialBranding'],
    ...['persist', 'revocable'],
  ],
  // There is only one value.
  kept: ['proofType'],
}
const mobile = {
  least: { type: 'org.example.member.1', claimMappings: { 'org.example.member.1': mappingsFrom({ since: 1 }) } },
  more: {
    ...{ validFrom: { mapFrom: 'claims.from' }, validUntil: { mapFrom: 'claims.until' }, includeStatus: true },
    branding: { name: 'Library card', backgroundColor: '#1f4e79' },
  },
  reset: ['validFrom', 'validUntil', 'branding', 'includeStatus'],
}

const sdJwt = {
  least: { name: 'Card', claimMappings },
  more: {
    vct: 'urn:example:card',
    typeMetadata: { rendering: { backgroundImageUrl: 'https://example.org/card.png' } },
    ...{ akaVcts: ['urn:example:base'], description: 'For members', disclose: 'never', decoys: { upTo: 4 } },
    ...{ includeStatus: true, revocable: true, roundTimesTo: 'hour', persist: true, keyBinding: true },
    includeIssuer: true,
    ...{ validFrom: { mapFrom: 'claims.from' }, validUntil: { mapFrom: 'claims.until' } },
  },
  reset: [
    ...['akaVcts', 'description', 'disclose', 'decoys', 'includeStatus', 'revocable', 'roundTimesTo'],
    ...['validFrom', 'validUntil', 'signerCaId', 'typeMetadata', 'vct', 'persist', 'includeIssuer'],
  ],
  // Its other value contradicts keyAttestationsRequired.
  kept: ['keyBinding'],
}

function signer(kind: Parameters<typeof signersPath>[0]): Replaceable {
  const path = signersPath(kind)
  return {
    async make(tenant) {
      const field = path.includes('ecosystems') ? 'caId' : 'iacaId'
      const authority = field === 'caId' ? await newEcosystemCa(tenant) : await activeIaca(tenant)
      return `${path}/${await made(tenant, path, { [field]: authority.id })}`
    },
    ...{ full: { active: false }, least: { active: false }, reset: [], kept: ['certificatePem'] },
  }
}

const provider = { url: 'https://login.example', clientId: 'trustwright' }
const clientSecret = 'a-secret-of-the-provider'
const consoleProvider = {
  ...{ name: 'Login', issuer: 'https://login.example', clientId: 'trustwright', claim: 'groups' },
  roles: [{ value: 'staff', roles: ['issuer'] }],
}
const hook = { url: 'https://hook.example/step' }
const webhook = { events: ['OpenIdCredentialIssued'], url: 'https://hooks.example/events' }
const wallet = { name: 'Wallet', redirectUris: ['https://wallet.example/callback'] }
const app = { type: 'android', name: 'App', packageName: 'com.example.wallet' }
const android = { ...app, packageSigningCertificateThumbprints: ['ab'.repeat(32)] }
const template = { domain: 'verifier.example', name: 'Library', query: [{ type: 'DIDAuth' }] }
const authorizationServer = { name: 'City', issuer: 'https://login.example', audience: 'https://issuer.example' }
const lists = '/v2/credentials/mobile/status-lists/configurations'
const providers = '/v1/users/authentication-providers'

/** Every PUT by its operation. */
export const replaceables: Record<string, Replaceable> = {
  replaceSignInProvider: {
    async make({ operator }) {
      const path = '/v1/sign-in-provider'
      await operator.put(path, { ...consoleProvider, clientSecret })
      return path
    },
    full: {
      ...{ ...consoleProvider, clientSecret, tokenEndpointAuthMethod: 'client_secret_post' },
      assertionAudience: 'token-endpoint',
      ...{ scope: ['openid', 'groups'], userClaim: 'email' },
    },
    ...{ least: consoleProvider, reset: ['tokenEndpointAuthMethod', 'assertionAudience', 'scope', 'userClaim'] },
    kept: ['clientSecret'],
  },
  updateSettings: {
    make: async () => '/v1/settings',
    full: {
      ...{ name: 'Other', branding: { accentColor: '#1f4e79' }, deferredIssuance: 'whenSlow' },
      approvals: { statusChanges: 100 },
      roles: [{ name: 'front-desk', permissions: ['users:find'] }],
      ...{ walletFamilies: ['eudi-ios'], defaultView: 'fitting' },
    },
    ...{ least: {}, reset: ['branding', 'deferredIssuance'] },
    kept: ['name', 'approvals', 'roles', 'walletFamilies', 'defaultView'],
  },
  updateTenant: {
    make: async ({ id }) => `/v1/tenants/${id}`,
    by: ({ platform }) => platform,
    full: async ({ id }) => ({
      ...{ name: 'Other', aliases: [`alias-${id}.example`], statusListFormat: 'legacy', profile: 'lenient' },
      ...{ encryption: { requestRequired: true, responseRequired: true }, deferredIssuance: 'whenSlow' },
      ...{ maxCredentialsPerSession: 3, publicClients: true, keyAttestationRoots: [await rootPem()] },
      ...{ branding: { accentColor: '#1f4e79' }, keyRotation: { webhooks: { days: 9 } }, limits: { webhooks: 3 } },
      keys: { tokens: 'software' },
      ...{ lockManagedObjects: true, testWallet: true, suspensionMaxAgeSeconds: 600 },
      ...{ reviewBeforeSignIn: true, walletFamilies: ['credo'], defaultView: 'fitting' },
      roles: [{ name: 'front-desk', permissions: ['users:find'] }],
    }),
    least: {},
    reset: ['deferredIssuance', 'publicClients', 'branding', 'testWallet'],
    kept: [
      ...['name', 'aliases', 'statusListFormat', 'profile', 'encryption', 'maxCredentialsPerSession'],
      ...['keyAttestationRoots', 'keyRotation', 'lockManagedObjects', 'limits', 'suspensionMaxAgeSeconds'],
      ...['reviewBeforeSignIn', 'roles', 'keys', 'walletFamilies', 'defaultView'],
    ],
    nulls: [
      ...['profile', 'encryption', 'maxCredentialsPerSession', 'keyAttestationRoots', 'keyRotation', 'limits'],
      ...['lockManagedObjects', 'suspensionMaxAgeSeconds', 'reviewBeforeSignIn', 'roles', 'keys'],
    ],
  },
  updateClient: {
    make: (tenant) => madeAt(`/v1/tenants/${tenant.id}/clients`, { name: 'One', roles: ['auditor'] })(tenant),
    ...{ full: { name: 'Other', roles: ['holder'] }, least: { name: 'Other', roles: ['holder'] }, reset: [] },
  },
  updateAuthenticationProvider: {
    make: madeAt(providers, { ...provider, clientSecret }),
    full: {
      ...{ ...provider, clientSecret, scope: ['openid', 'email'], tokenEndpointAuthMethod: 'client_secret_post' },
      assertionAudience: 'token-endpoint',
      ...{ staticRequestParameters: { prompt: 'login' }, forwardedRequestParameters: ['login_hint'] },
      claimsToPersist: ['email'],
    },
    least: provider,
    reset: [
      ...['scope', 'tokenEndpointAuthMethod', 'assertionAudience', 'staticRequestParameters'],
      ...['forwardedRequestParameters', 'claimsToPersist'],
    ],
    kept: ['clientSecret'],
  },
  updateOpenIdConfiguration: {
    make: async () => '/v1/openid/configuration',
    full: {
      interactionHook: {
        ...{ ...hook, claims: ['given_name'], sessionTimeoutInSec: 60, disabled: true, renewSecret: true },
      },
    },
    least: { interactionHook: hook },
    reset: ['interactionHook.claims', 'interactionHook.sessionTimeoutInSec', 'interactionHook.disabled'],
    kept: ['interactionHook.renewSecret'],
  },
  updateAuthorizationServer: {
    make: madeAt('/v1/openid/authorization-servers', authorizationServer),
    full: async (tenant) => ({
      ...{ ...authorizationServer, jwtProfile: 'keycloak', subjectClaim: 'citizen', claimsToPersist: ['given_name'] },
      ...{ userInfo: true, introspection: { clientId: 'trustwright', clientSecret } },
      scopes: { card: await compactConfiguration(tenant) },
    }),
    least: authorizationServer,
    reset: ['jwtProfile', 'subjectClaim', 'claimsToPersist', 'userInfo', 'introspection', 'scopes'],
  },
  updateClaimSource: {
    make: madeAt('/v1/claim-sources', source),
    full: {
      ...source,
      requestParameters: { email: { mapFrom: 'claims.email' } },
      requestMethod: 'POST',
      onFailure: 'issue',
    },
    ...{ least: source, reset: ['requestParameters', 'requestMethod'], kept: ['onFailure'], nulls: ['onFailure'] },
  },
  updateIaca: {
    make: madeAt(iacas, { commonName: 'Test IACA', country: 'NZ' }),
    ...{ full: { active: true }, least: { active: true }, reset: [] },
  },
  updateEcosystemCa: {
    make: madeAt(ecosystemCas, { commonName: 'Root', organisationName: 'Aotearoa', country: 'NZ' }),
    ...{ full: { active: true }, least: { active: true }, reset: [] },
  },
  updateDocumentSigner: signer('document-signer'),
  updateStatusListSigner: signer('status-list-signer'),
  updateSdJwtSigner: signer('sd-jwt-signer'),
  updateVicalSigner: signer('vical-signer'),
  updateRicalSigner: signer('rical-signer'),
  updateCompactConfiguration: configuration('compact', compact),
  updateCompactSemanticConfiguration: configuration('compact-semantic', compact),
  updateWebSemanticConfiguration: configuration('web-semantic', webSemantic),
  updateMobileConfiguration: configuration('mobile', mobile),
  updateSdJwtConfiguration: {
    ...configuration('sd-jwt', sdJwt),
    full: async (tenant) => {
      const { id: signerCaId } = await activeIaca(tenant)
      return { ...sdJwt.least, ...sdJwt.more, ...(await commonFields(tenant)), signerCaId }
    },
  },
  updateStatusListConfiguration: {
    make: madeAt(lists, { docType: 'org.example.member.1' }),
    full: { timeToLiveDuration: { days: 3 }, expiryDuration: { days: 30 } },
    ...{ least: {}, reset: ['timeToLiveDuration', 'expiryDuration'] },
  },
  updateUser: {
    make: madeAt('/v1/users', {}),
    full: async (tenant) => ({
      ...{ claims: { given_name: 'Ada' }, label: 'KD-1' },
      authenticationProvider: {
        providerId: await made(tenant, providers, { ...provider, clientSecret }),
        subjectId: 'ada',
      },
    }),
    ...{ least: {}, reset: ['claims', 'label'], kept: ['authenticationProvider'] },
  },
  updateOAuthClient: {
    make: madeAt('/v1/openid/clients', wallet),
    full: async () => ({
      ...{ ...wallet, dpopRequired: true },
      attestation: { required: true, dpopRequired: true, rootCertificates: [await rootPem()] },
    }),
    ...{ least: wallet, reset: [], kept: ['attestation', 'dpopRequired'], nulls: ['attestation', 'dpopRequired'] },
  },
  updateView: {
    async make(tenant) {
      await made(tenant, '/v2/credentials/compact/configurations', compact.least)
      return `/v1/views/${await made(tenant, '/v1/views', { ...view, path: 'ios' })}`
    },
    ...{
      full: { ...view, displayName: 'Campus', walletFamilies: ['credo'] },
      least: view,
      reset: ['displayName', 'walletFamilies'],
    },
  },
  updateWebhook: {
    make: madeAt('/v1/webhooks', webhook),
    ...{ full: { ...webhook, disabled: true }, least: webhook, reset: ['disabled'] },
  },
  updatePresentationTemplate: {
    make: madeAt('/v2/credentials/web-semantic/presentations/templates', template),
    ...{ full: template, least: template, reset: [], kept: ['id'] },
  },
  updateInbox: {
    make: madeAt('/v1/messaging/inboxes', { name: 'One' }),
    ...{ full: { name: 'Other' }, least: { name: 'Other' }, reset: [] },
  },
  updateHolderApplication: {
    make: madeAt('/v1/holder/applications', android),
    full: async () => ({ ...android, keyAttestation: { required: false, rootCertificates: [await rootPem()] } }),
    ...{ least: android, reset: ['keyAttestation'] },
  },
  ...replaceableRegistration,
  ...replaceableVerifier,
  ...replaceableEcosystems,
}
