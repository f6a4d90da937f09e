import { findPublishedKeys, tenantItself } from '../../../db/repos/identifiers/keys.ts'
import { json } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { authorizationServerMetadata, issuerMetadata } from './metadata.ts'
import { AuthorizationServerMetadata, IssuerMetadata, Jwks } from './schemas.ts'
import { signedMetadata } from './signed-metadata.ts'

const tag = 'Discovery'

export const issuerRoutes = [
  defineRoute({
    operation: 'retrieveIssuerMetadata',
    summary: 'Credential issuer metadata',
    tag,
    method: 'GET',
    path: '/.well-known/openid-credential-issuer',
    access: anyone,
    status: 200,
    response: IssuerMetadata,
    representations: { media: [json, signedMetadata], cors: true },
    problems: ['service_unavailable'],
    handle: ({ tenant, deps }) => issuerMetadata(deps, tenant),
  }),
  defineRoute({
    operation: 'retrieveAuthorizationServerMetadata',
    summary: 'OAuth authorization server metadata',
    tag,
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    access: anyone,
    status: 200,
    response: AuthorizationServerMetadata,
    representations: { cors: true },
    handle: ({ tenant, deps }) => authorizationServerMetadata(deps, tenant),
  }),
  defineRoute({
    operation: 'retrieveJwks',
    summary: 'The keys that sign tokens',
    tag,
    method: 'GET',
    path: '/v1/openid/jwks',
    access: anyone,
    status: 200,
    response: Jwks,
    // A new key signs at once: whoever does not know it and asks again must not be given what a cache has kept.
    representations: { maxAgeSeconds: 0, etag: 'bytes', cors: true },
    async handle({ tenantId, deps }) {
      const rows = await findPublishedKeys(deps.db.read, tenantId, tenantItself, 'token', deps.clock.now())
      return { keys: rows.map(({ id, publicJwk }) => ({ ...publicJwk, use: 'sig', alg: 'EdDSA', kid: id })) }
    },
  }),
]
