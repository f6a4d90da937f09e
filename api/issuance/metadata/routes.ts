import { findPublishedKeys, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { jsonMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { resourceMetadataPath } from '../../proofs/challenge.ts'
import { JwtVcIssuerView, readJwtVcIssuer } from './jwt-vc-issuer.ts'
import { publishedMetadata } from './published.ts'
import { ResourceEndpoint, resourceMetadataOf } from './resource-metadata.ts'
import { AuthorizationServerMetadata, IssuerMetadata, Jwks, ResourceMetadata } from './schemas.ts'
import { signedMetadata } from './signed-metadata.ts'

const tag = 'Discovery'

/**
 * Wallets may cache the documents for a minute. The encryption keys in them still decrypt requests for a day after they
 * are replaced.
 */
const published = { maxAgeSeconds: 60, etag: 'bytes', cors: true } as const

const ofServer = {
  tag,
  isOfViews: true,
  method: 'GET',
  access: anyone,
  status: 200,
  response: AuthorizationServerMetadata,
  representations: published,
  handle: ({ tenant, deps }: { tenant: Tenant; deps: Deps }) => publishedMetadata(deps, tenant, ({ server }) => server),
} as const

const ofResource = {
  tag,
  isOfViews: true,
  method: 'GET',
  access: anyone,
  status: 200,
  response: ResourceMetadata,
  representations: published,
} as const

export const issuerRoutes = [
  defineRoute({
    operation: 'retrieveJwtVcIssuer',
    summary: 'JWT VC issuer metadata: the keys that sign SD-JWT VCs, for verifiers that find keys by `iss`',
    tag,
    method: 'GET',
    path: '/.well-known/jwt-vc-issuer',
    access: anyone,
    status: 200,
    response: JwtVcIssuerView,
    representations: published,
    problems: ['not_found'],
    handle: ({ tenant, deps }) => readJwtVcIssuer(deps, tenant),
  }),
  defineRoute({
    operation: 'retrieveIssuerMetadata',
    isOfViews: true,
    summary: 'Credential issuer metadata',
    tag,
    method: 'GET',
    path: '/.well-known/openid-credential-issuer',
    access: anyone,
    status: 200,
    response: IssuerMetadata,
    representations: { ...published, media: [jsonMedia, signedMetadata] },
    problems: ['service_unavailable'],
    handle: ({ tenant, deps }) => publishedMetadata(deps, tenant, ({ issuer }) => issuer),
  }),
  defineRoute({
    ...ofServer,
    operation: 'retrieveAuthorizationServerMetadata',
    summary: 'OAuth authorization server metadata',
    path: '/.well-known/oauth-authorization-server',
  }),
  defineRoute({
    ...ofServer,
    operation: 'retrieveOpenIdDiscovery',
    summary: 'The same document at the path that some wallets use. It is not an OpenID Connect provider',
    path: '/.well-known/openid-configuration',
  }),
  defineRoute({
    ...ofResource,
    operation: 'retrieveResourceMetadata',
    summary: 'OAuth protected resource metadata (RFC 9728) of the tenant',
    path: resourceMetadataPath,
    handle: ({ tenant, deps }) => publishedMetadata(deps, tenant, ({ resource }) => resource),
  }),
  defineRoute({
    ...ofResource,
    operation: 'retrieveEndpointResourceMetadata',
    summary: 'OAuth protected resource metadata of one endpoint, at the address that its challenges name',
    path: `${resourceMetadataPath}/v1/openid/:endpoint`,
    params: ResourceEndpoint,
    problems: ['not_found'],
    handle: ({ tenant, deps, params }) =>
      publishedMetadata(deps, tenant, ({ resource }) => resourceMetadataOf(params.endpoint, resource)),
  }),
  defineRoute({
    operation: 'retrieveJwks',
    summary: 'The public keys that sign tokens and issuer metadata',
    tag,
    method: 'GET',
    path: '/v1/openid/jwks',
    access: anyone,
    status: 200,
    response: Jwks,
    // A new key signs immediately. A client that does not know it must not get a cached response.
    representations: { maxAgeSeconds: 0, etag: 'bytes', cors: true },
    async handle({ tenant, deps }) {
      const { did } = tenant
      const published = (purpose: 'token' | 'did') =>
        findPublishedKeys(deps.db.read, tenant.id, tenantOwner, purpose, deps.clock.now())
      const [tokenKeys, didKeys] = await Promise.all([published('token'), published('did')])
      const ofMetadata = didKeys.filter(({ algorithm }) => algorithm === 'ES256')
      return {
        keys: [
          ...tokenKeys.map(({ id, publicJwk }) => ({ ...publicJwk, use: 'sig', alg: 'EdDSA', kid: id })),
          ...ofMetadata.map(({ id, publicJwk }) => ({ ...publicJwk, use: 'sig', alg: 'ES256', kid: `${did}#${id}` })),
        ],
      }
    },
  }),
]
