import { findClaimSource } from '../../db/repos/issuance/claim-sources.ts'
import { findAuthenticationProvider } from '../../db/repos/issuance/sign-in-providers.ts'
import { defaultSettings } from '../../db/tables/tenancy/tenants.ts'
import { privateKeyJwt } from '../../shared/domain/identifiers/client-assertions.ts'
import { credentialProfiles } from '../../shared/domain/issuance/profiles.ts'
import { loteTypeNames } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import { openAuthorization } from '../issuance/claim-sources/authorization.ts'
import { defaultOnFailure } from '../issuance/claim-sources/schemas.ts'
import { openClientSecret } from '../issuance/sign-in-provider/client-secret.ts'
import { noAttestation } from '../issuance/wallets/schemas.ts'
import { authorizationServerKind } from './authorization-servers.ts'
import { configurationKind, configurationKinds } from './configuration-kinds.ts'
import { iacaKind } from './iacas.ts'
import type { KindDefinition } from './kind.ts'
import { participantKind } from './participants.ts'

const { limits: _limits, approvals: _approvals, ...tenantDefaults } = defaultSettings

/**
 * All kinds in the order in which they are created, which is that of the locks in `db/hold.ts`. An object can refer to objects of
 * kinds before it.
 */
export const kindDefinitions: readonly KindDefinition[] = [
  {
    name: 'tenant',
    path: '/v1/tenants/:tenantId',
    isSingleton: true,
    nameOf: () => 'tenant',
    defaults: tenantDefaults,
    // The platform decides about hosts and limits.
    serverManaged: ['aliases', 'limits'],
  },
  iacaKind,
  {
    name: 'sign-in provider',
    path: '/v1/users/authentication-providers',
    nameOf: () => 'sign-in-provider',
    secret: {
      pathIn: ({ tokenEndpointAuthMethod }) => (tokenEndpointAuthMethod === privateKeyJwt ? undefined : 'clientSecret'),
      async read(db, secrets, tenantId, id) {
        const row = await findAuthenticationProvider(db, tenantId, id)
        return row && openClientSecret(secrets, row)
      },
    },
  },
  {
    name: 'interaction hook',
    path: '/v1/openid/configuration',
    isSingleton: true,
    nameOf: () => 'interaction-hook',
    // It would create a new secret with each apply.
    serverManaged: ['interactionHook.renewSecret'],
  },
  {
    name: 'claim source',
    path: '/v1/claim-sources',
    nameOf: ({ name }) => name,
    defaults: { onFailure: defaultOnFailure },
    secret: {
      pathIn: ({ authorization }) =>
        member(authorization, 'type') === 'api-key' ? 'authorization.value' : 'authorization.value.clientSecret',
      async read(db, secrets, tenantId, id) {
        const row = await findClaimSource(db, tenantId, id)
        const authorization = row && openAuthorization(secrets, row)
        return authorization?.type === 'api-key' ? authorization.value : authorization?.value.clientSecret
      },
    },
  },
  {
    name: 'context',
    path: '/v2/credentials/web-semantic/contexts',
    nameOf: ({ url }) => withoutScheme(url),
    listOmitsMembers: true,
  },
  ...credentialProfiles.map(
    (profile): KindDefinition => ({
      name: configurationKind(profile),
      path: `/v2/credentials/${profile}/configurations`,
      nameOf: ({ id, type, vct, name }) => (type === id ? undefined : (type ?? name ?? withoutScheme(vct))),
      references: { claimSourceId: ['claim source'], signerCaId: ['iaca'] },
      ...(profile.startsWith('compact') && { defaultsToId: 'type' }),
    }),
  ),
  {
    name: 'view',
    path: '/v1/views',
    nameOf: ({ path }) => path,
    references: { 'configurations.ids.*': configurationKinds },
  },
  authorizationServerKind,
  {
    name: 'wallet',
    path: '/v1/openid/clients',
    nameOf: ({ name }) => name,
    defaults: { attestation: noAttestation, dpopRequired: false },
    defaultsToId: 'clientId',
  },
  {
    name: 'wallet provider',
    path: '/v1/openid/wallet-providers',
    nameOf: ({ certificateData }) => member(certificateData, 'commonName'),
  },
  {
    name: 'status list configuration',
    path: '/v2/credentials/mobile/status-lists/configurations',
    nameOf: ({ docType }) => docType,
  },
  {
    name: 'presentation template',
    path: '/v2/credentials/web-semantic/presentations/templates',
    nameOf: ({ name }) => name,
  },
  {
    name: 'verifier application',
    path: '/v2/presentations/applications',
    nameOf: ({ name }) => name,
  },
  {
    name: 'verifier wallet provider',
    path: '/v2/presentations/wallet-providers',
    nameOf: ({ name }) => name,
  },
  {
    name: 'trusted issuer',
    path: '/v2/credentials/mobile/trusted-issuers',
    nameOf: ({ certificateData }) => member(certificateData, 'commonName'),
  },
  {
    name: 'holder application',
    path: '/v1/holder/applications',
    nameOf: ({ name }) => name,
  },
  {
    name: 'ecosystem',
    path: '/v1/ecosystems',
    nameOf: ({ name }) => name,
  },
  {
    name: 'verifier template',
    path: '/v2/presentations/templates',
    nameOf: ({ name }) => name,
    references: { 'trust.ecosystemId': ['ecosystem'] },
  },
  ofEcosystem({
    name: 'credential type',
    path: 'credentials',
    nameOf: ({ profile, type }) => `${profile} ${type}`,
  }),
  participantKind,
  ofEcosystem({
    name: 'VICAL configuration',
    path: 'vicals/configuration',
    isSingleton: true,
    nameOf: () => 'vical',
  }),
  ofEcosystem({
    name: 'RICAL configuration',
    path: 'ricals/configuration',
    isSingleton: true,
    nameOf: () => 'rical',
  }),
  ...loteTypeNames.map((loteType) =>
    ofEcosystem({
      name: `${loteType} configuration`,
      path: 'lotes/:loteType/configuration',
      isSingleton: true,
      fixedParams: { loteType },
      nameOf: () => loteType,
    }),
  ),
  { name: 'webhook', path: '/v1/webhooks', nameOf: ({ url }) => withoutScheme(url) },
]

function ofEcosystem({ path, ...kind }: KindDefinition): KindDefinition {
  return {
    ...kind,
    path: `/v1/ecosystems/:ecosystemId/${path}`,
    parent: { kind: 'ecosystem', param: 'ecosystemId' },
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function withoutScheme(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/^[a-z]+:\/*/i, '') : url
}
