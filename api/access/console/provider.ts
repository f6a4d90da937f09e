import { hash } from 'node:crypto'
import { type ConsoleProviderRow, findConsoleProvider } from '../../../db/repos/console/providers.ts'
import type { RolesOfValue } from '../../../db/tables/console/providers.ts'
import type { PlatformSignIn } from '../../../shared/domain/tenancy/platform-sign-in.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { consoleProviderContext } from '../../../shared/secrets/stored-contexts.ts'
import type { Deps } from '../../deps.ts'
import type { RelyingParty } from '../../relying-party/relying-party.ts'
import type { Tenant } from '../subjects.ts'

/** The OpenID Connect provider that signs users in at the console of one host. */
export interface ConsoleProvider extends RelyingParty {
  id: string
  /** The label of the sign-in button. */
  name: string
  scope: string[]
  /** The name of a claim, or a dotted path to it. */
  claim: string
  userClaim: string
  roles: RolesOfValue[]
}

/**
 * Finds the sign-in provider of a host. A tenant uses the provider in its settings. The platform uses the provider in the environment
 * variables, which cannot sign in at a tenant.
 */
export async function findProviderOf(
  deps: Deps,
  tenant: Tenant,
  db = deps.db.read,
): Promise<ConsoleProvider | undefined> {
  if (tenant.kind === 'platform') return deps.config.platformSignIn && ofPlatform(tenant, deps.config.platformSignIn)
  const row = await findConsoleProvider(db, tenant.id)
  return row && ofTenant(deps.secrets, row)
}

export function ofTenant(secrets: Secrets, row: ConsoleProviderRow): ConsoleProvider {
  const { sealedClientSecret, createdAt: _createdAt, ...content } = row
  return { ...content, clientSecret: secrets.open(sealedClientSecret, consoleProviderContext(row.id)) }
}

function ofPlatform({ id: tenantId }: Tenant, { values, ...content }: PlatformSignIn): ConsoleProvider {
  return { ...content, tenantId, id: 'platform', roles: values.map((value) => ({ value, roles: ['platform'] })) }
}

/** Hashes the settings that decide who may do what. If the hash changes, existing sessions end and users sign in again. */
export function hashOfGrants({ id, issuer, clientId, claim, userClaim, roles }: ConsoleProvider): string {
  return hash('sha256', JSON.stringify([id, issuer, clientId, claim, userClaim, roles]), 'base64url')
}
