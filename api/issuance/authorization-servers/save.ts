import type { Writer } from '../../../db/client.ts'
import { hold, holdTenant } from '../../../db/hold.ts'
import {
  type AuthorizationServerRow,
  findAuthorizationServers,
  insertAuthorizationServers,
  updateAuthorizationServer,
} from '../../../db/repos/issuance/authorization-servers.ts'
import { findNamedConfigurations } from '../../../db/repos/issuance/configurations.ts'
import { hasUsers } from '../../../db/repos/issuance/sign-in-providers.ts'
import type { Change, ChangeTo } from '../../../db/repos/operations/audit/audited.ts'
import { authorizationServers } from '../../../db/tables/issuance/authorization-servers.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { addKeyJob, secretToStore } from '../../relying-party/client-authentication.ts'
import { originOf, replaceSecret } from '../../relying-party/masked-secret.ts'
import { refuseAudienceOfView } from './audience.ts'
import { openServerSecret, sealServerSecret } from './client-secret.ts'
import { checkDiscovery } from './discovery.ts'
import type { SavedServer } from './present.ts'
import type { AuthorizationServerBody } from './schemas.ts'

/** Each token that is not a JWT of this service costs a query of these rows. */
const maxServers = 5

/** Stores a server after its discovery. Throws `bad_request` for settings that cannot work, and `conflict` for a sixth server. */
export async function createAuthorizationServer(
  deps: Deps,
  change: ChangeTo<AuthorizationServerRow>,
  tenant: Tenant,
  body: AuthorizationServerBody,
): Promise<SavedServer> {
  const { id: tenantId } = tenant
  const warnings = await checkDiscovery(deps, tenantId, checked(body))
  const createdAt = deps.clock.now()
  const id = newOrderedId(createdAt)
  const sealedClientSecret = sealServerSecret(deps.secrets, id, secretOf(body))
  const server = { id, tenantId, ...contentOf(body), sealedClientSecret, createdAt }
  const row = await change(async (tx, record) => {
    await holdTenant(tx, tenantId)
    await requireFree(tx, tenantId, server)
    await refuseAudienceOfView(tx, tenant, body)
    await requireConfigurations(tx, tenantId, body)
    await insertAuthorizationServers(tx, [server])
    await addKeyJob(tx, server, createdAt)
    record(tenantId, { id })
    return server
  })
  return { ...row, warnings }
}

function checked(body: AuthorizationServerBody) {
  return { ...body, hasIntrospection: body.introspection !== undefined }
}

/** Returns the columns of a body without the secret. */
function contentOf({ introspection, ...content }: AuthorizationServerBody) {
  const { clientId, tokenEndpointAuthMethod, assertionAudience } = introspection ?? withoutClient
  return { ...content, clientId, tokenEndpointAuthMethod, assertionAudience }
}

const withoutClient = {
  clientId: null,
  tokenEndpointAuthMethod: 'client_secret_basic',
  assertionAudience: 'issuer',
} as const

interface ServerReplacement {
  tenant: Tenant
  id: string
  body: AuthorizationServerBody
  requireMatch(before: AuthorizationServerRow): Promise<void>
}

/**
 * Replaces everything except the secret, which stays if the body has none. A new secret is required if the origin of the issuer changes.
 * The issuer cannot change while there are users of the server. Each request that creates a user takes a shared lock on the row.
 */
export async function replaceAuthorizationServer(
  deps: Deps,
  change: Change,
  { tenant, id, body, requireMatch }: ServerReplacement,
): Promise<AuthorizationServerRow> {
  const { id: tenantId } = tenant
  const content = contentOf(body)
  await checkDiscovery(deps, tenantId, checked(body))
  return change(async (tx, record) => {
    // Before the row, in the lock order of hold.ts.
    await holdTenant(tx, tenantId)
    const current = await hold(tx, authorizationServers, tenantId, id)
    if (!current) throw notFound('id', id)
    await requireMatch(current)
    await requireFree(tx, tenantId, { id, ...content })
    await refuseAudienceOfView(tx, tenant, body)
    await requireConfigurations(tx, tenantId, body)
    if (current.issuer !== body.issuer && (await hasUsers(tx, tenantId, id)))
      throw new Problem('conflict', {
        message: 'There are users of this server, so its issuer cannot change. Delete these users first.',
      })
    const stored = openServerSecret(deps.secrets, current)
    const secret = secretOf(body, { current, stored })
    const sealedClientSecret =
      secret === stored ? current.sealedClientSecret : sealServerSecret(deps.secrets, id, secret)
    const row = await updateAuthorizationServer(tx, tenantId, id, { ...content, sealedClientSecret })
    if (!row) throw notFound('id', id)
    await addKeyJob(tx, row, deps.clock.now())
    const changed = changedFieldNames({ ...current, clientSecret: stored }, { ...content, clientSecret: secret })
    record(tenantId, { id, changed })
    return row
  })
}

function secretOf(
  { issuer, introspection }: AuthorizationServerBody,
  before?: { current: AuthorizationServerRow; stored: string },
): string {
  if (!introspection) return ''
  if (!before || before.stored === '') return secretToStore(introspection, undefined, param)
  const hasMoved = originOf(before.current.issuer) !== originOf(issuer)
  return secretToStore(introspection, (sent) => replaceSecret(param, sent, before.stored, hasMoved), param)
}

const param = 'introspection.clientSecret'

/** Needs the lock of the tenant, so that concurrent requests do not store too many servers. The server can be stored already. */
async function requireFree(
  tx: Writer,
  tenantId: string,
  { id, issuer, clientId }: Pick<AuthorizationServerRow, 'id' | 'issuer' | 'clientId'>,
): Promise<void> {
  const others = (await findAuthorizationServers(tx, tenantId)).filter((server) => server.id !== id)
  const conflict = (message: string) => new Problem('conflict', { message })
  if (others.length >= maxServers)
    throw conflict(`A tenant can have at most ${maxServers} authorization servers. Delete one first.`)
  if (others.some((server) => server.issuer === issuer))
    throw conflict('The tenant has an authorization server with this issuer. Change or delete it.')
  // A token of an unknown form is sent to one server only, because it is a secret of its server.
  if (clientId !== null && others.some((server) => server.clientId !== null))
    throw conflict('The tenant has an authorization server with introspection, and can have one. Change or delete it.')
}

async function requireConfigurations(tx: Writer, tenantId: string, { scopes }: AuthorizationServerBody): Promise<void> {
  const ids = [...new Set(Object.values(scopes))]
  const existing = new Set((await findNamedConfigurations(tx, tenantId, ids)).map(({ id }) => id))
  const [scope, unknown] = Object.entries(scopes).find(([, id]) => !existing.has(id)) ?? []
  if (scope === undefined || unknown === undefined) return
  throw unknownReference(`scopes.${scope}`, unknown, 'GET /v2/credentials/configurations')
}
