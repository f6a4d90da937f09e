import { findClaimSource } from '../../db/repos/issuance/claim-sources.ts'
import { findAuthenticationProvider } from '../../db/repos/issuance/sign-in-providers.ts'
import { defaultSettings } from '../../db/tables/tenancy/tenants.ts'
import { credentialProfiles } from '../../shared/domain/issuance/profiles.ts'
import { openAuthorization } from '../issuance/claim-sources/authorization.ts'
import { openClientSecret } from '../issuance/sign-in-provider/client-secret.ts'
import { iacaKind } from './iacas.ts'
import type { Kind } from './kind.ts'

const { limits: _limits, ...tenantDefaults } = defaultSettings

/**
 * All kinds in the order in which they are created, which is that of the locks in `db/hold.ts`. An object can refer to objects of
 * kinds before it.
 */
export const kinds: readonly Kind[] = [
  {
    name: 'tenant',
    files: 'tenant',
    path: '/v1/tenants/:tenantId',
    isOne: true,
    nameOf: () => 'tenant',
    defaults: tenantDefaults,
    // The platform decides about hosts and limits.
    kept: ['aliases', 'limits'],
  },
  iacaKind,
  {
    name: 'sign-in provider',
    files: 'sign-in-provider',
    path: '/v1/users/authentication-providers',
    nameOf: () => 'sign-in-provider',
    secret: {
      pathIn: () => 'clientSecret',
      async read(db, secrets, tenantId, id) {
        const row = await findAuthenticationProvider(db, tenantId, id)
        return row && openClientSecret(secrets, row)
      },
    },
  },
  {
    name: 'interaction hook',
    files: 'interaction-hook',
    path: '/v1/openid/configuration',
    isOne: true,
    nameOf: () => 'interaction-hook',
  },
  {
    name: 'claim source',
    files: 'claim-sources/*',
    path: '/v1/claim-sources',
    nameOf: ({ name }) => name,
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
    files: 'contexts/*',
    path: '/v2/credentials/web-semantic/contexts',
    nameOf: ({ url }) => withoutScheme(url),
    isListedInPart: true,
  },
  ...credentialProfiles.map(
    (profile): Kind => ({
      name: `${profile} configuration`,
      files: `configurations/${profile}/*`,
      path: `/v2/credentials/${profile}/configurations`,
      nameOf: ({ id, type, vct, name }) => (type === id ? undefined : (type ?? withoutScheme(vct) ?? name)),
      references: { claimSourceId: 'claim source', signerCaId: 'iaca' },
      ...(profile.startsWith('compact') && { isIdByDefault: 'type' }),
    }),
  ),
  {
    name: 'wallet',
    files: 'wallets/*',
    path: '/v1/openid/clients',
    nameOf: ({ name }) => name,
    isIdByDefault: 'clientId',
  },
  {
    name: 'wallet provider',
    files: 'wallet-providers/*',
    path: '/v1/openid/wallet-providers',
    nameOf: ({ certificateData }) => member(certificateData, 'commonName'),
  },
  {
    name: 'status list configuration',
    files: 'status-list-configurations/*',
    path: '/v2/credentials/mobile/status-lists/configurations',
    nameOf: ({ docType }) => docType,
  },
  {
    name: 'presentation template',
    files: 'presentation-templates/*',
    path: '/v2/credentials/web-semantic/presentations/templates',
    nameOf: ({ name }) => name,
  },
  {
    name: 'trusted issuer',
    files: 'trusted-issuers/*',
    path: '/v2/credentials/mobile/trusted-issuers',
    nameOf: ({ certificateData }) => member(certificateData, 'commonName'),
  },
  {
    name: 'holder application',
    files: 'holder-applications/*',
    path: '/v1/holder/applications',
    nameOf: ({ name }) => name,
  },
  {
    name: 'ecosystem',
    files: 'ecosystems/*/ecosystem',
    path: '/v1/ecosystems',
    nameOf: ({ name }) => name,
  },
  ...ofEcosystem({
    name: 'credential type',
    files: 'types/*',
    path: 'credentials',
    nameOf: ({ profile, type }) => `${profile} ${type}`,
  }),
  ...ofEcosystem({
    name: 'participant',
    files: 'participants/*',
    path: 'participants',
    nameOf: ({ name }) => name,
  }),
  ...ofEcosystem({
    name: 'VICAL configuration',
    files: 'vical',
    path: 'vicals/configuration',
    isOne: true,
    nameOf: () => 'vical',
  }),
  ...ofEcosystem({
    name: 'RICAL configuration',
    files: 'rical',
    path: 'ricals/configuration',
    isOne: true,
    nameOf: () => 'rical',
  }),
  { name: 'webhook', files: 'webhooks/*', path: '/v1/webhooks', nameOf: ({ url }) => withoutScheme(url) },
]

function ofEcosystem({ files, path, ...kind }: Kind): Kind[] {
  return [
    {
      ...kind,
      files: `ecosystems/*/${files}`,
      path: `/v1/ecosystems/:ecosystemId/${path}`,
      parent: { kind: 'ecosystem', param: 'ecosystemId' },
    },
  ]
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function withoutScheme(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/^[a-z]+:\/*/i, '') : url
}
