import { hash } from 'node:crypto'
import { type ConsoleProviderRow, findConsoleProvider } from '../../../db/repos/console/providers.ts'
import type { RolesOfValue } from '../../../db/tables/console/providers.ts'
import type { PlatformSignIn } from '../../../shared/domain/tenancy/platform-sign-in.ts'
import type { Secrets } from '../../../shared/secrets.ts'
import type { Deps } from '../../deps.ts'
import type { RelyingParty } from '../../relying-party/discover.ts'
import type { Tenant } from '../subjects.ts'

/** The OpenID Connect provider at which the people of one host sign in at the console. */
export interface ConsoleProvider extends RelyingParty {
  id: string
  /** On the button. */
  name: string
  scope: string[]
  /** The name of a claim, or a dotted path to it. */
  claim: string
  userClaim: string
  roles: RolesOfValue[]
}

/** At a tenant's host its own; at the platform's the one of the environment, at which nobody signs in at a tenant. */
export async function findProviderOf(
  deps: Deps,
  tenant: Tenant,
  db = deps.db.read,
): Promise<ConsoleProvider | undefined> {
  if (tenant.kind === 'platform') return deps.config.platformSignIn && ofPlatform(deps.config.platformSignIn)
  const row = await findConsoleProvider(db, tenant.id)
  return row && ofTenant(deps.secrets, row)
}

export function ofTenant(secrets: Secrets, row: ConsoleProviderRow): ConsoleProvider {
  const { sealedClientSecret, tenantId: _tenantId, createdAt: _createdAt, ...content } = row
  return { ...content, clientSecret: secrets.open(sealedClientSecret, providerContext(row.id)) }
}

function ofPlatform({ values, ...content }: PlatformSignIn): ConsoleProvider {
  return { ...content, id: 'platform', roles: values.map((value) => ({ value, roles: ['platform'] })) }
}

/** For what a secret is sealed. */
export const providerContext = (id: string) => `console provider ${id}`

/** Of all that says who may do what: where it is another, those who signed in before do so again. */
export function hashOfGrants({ id, issuer, clientId, claim, userClaim, roles }: ConsoleProvider): string {
  return hash('sha256', JSON.stringify([id, issuer, clientId, claim, userClaim, roles]), 'base64url')
}
