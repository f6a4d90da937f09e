import type { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import {
  type ConsoleProviderRow,
  findConsoleProvider,
  saveConsoleProvider,
} from '../../../db/repos/console/providers.ts'
import { deleteConsoleSessionsOfPeople } from '../../../db/repos/console/sessions.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { consoleProviderContext } from '../../../shared/secrets/stored-contexts.ts'
import { type ConsoleProvider, hashOfGrants, ofTenant } from '../../access/console/provider.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { requireMatch } from '../../http/if-match.ts'
import type { Headers } from '../../http/route.ts'
import { addKeyJob, secretToStore } from '../../relying-party/client-authentication.ts'
import { originOf, replaceSecret } from '../../relying-party/masked-secret.ts'
import { requireKnownRoles } from '../../tenancy/roles/known-roles.ts'
import { presentConsoleProvider } from './present.ts'
import type { ConsoleProviderBody } from './schemas.ts'

type Body = z.output<typeof ConsoleProviderBody>

/** Creates or replaces the tenant's provider. The stored secret stays unless the body has a new one. */
export async function replaceConsoleProvider(
  deps: Deps,
  change: Change,
  { tenant, body, headers }: { tenant: Tenant; body: Body; headers: Headers },
): Promise<ConsoleProvider> {
  requireCallable(deps, body.issuer)
  return change(async (tx, record) => {
    // Locks the tenant, because the provider may have no row to lock yet.
    const heldTenant = await holdTenant(tx, tenant.id)
    if (!heldTenant) throw notFound('tenantId', tenant.id)
    for (const [position, { roles }] of body.roles.entries())
      requireKnownRoles(heldTenant, roles, `roles.${position}.roles`)
    const row = await findConsoleProvider(tx, tenant.id)
    const before = row && ofTenant(deps.secrets, row)
    requireMatch(headers, before && presentConsoleProvider(tenant, before))
    const at = deps.clock.now()
    const id = row?.id ?? newOrderedId(at)
    const after = { ...body, id, tenantId: tenant.id, clientSecret: secretOf(body, before) }
    // These sessions are invalid after the change. Deletes them, so that they do not become valid when the change is undone.
    if (before && hashOfGrants(before) !== hashOfGrants(after)) await deleteConsoleSessionsOfPeople(tx, tenant.id)
    await saveConsoleProvider(tx, rowOf(deps, after, row?.createdAt ?? at))
    await addKeyJob(tx, after, at)
    record(tenant.id, { id, changed: changedFieldNames(before ?? { id, tenantId: tenant.id }, after) })
    return after
  })
}

/** Returns the provider of the body for a trial before it is saved. Uses the stored secret if the body has none. */
export async function givenProvider(
  deps: Deps,
  tenant: Tenant,
  body: Body,
  db: Reader = deps.db.read,
): Promise<ConsoleProvider> {
  requireCallable(deps, body.issuer)
  const row = await findConsoleProvider(db, tenant.id)
  return { ...body, id: '', tenantId: tenant.id, clientSecret: secretOf(body, row && ofTenant(deps.secrets, row)) }
}

function secretOf(body: Body, before: ConsoleProvider | undefined): string {
  if (!before || before.clientSecret === '') return secretToStore(body)
  const hasMoved = originOf(before.issuer) !== originOf(body.issuer)
  return secretToStore(body, (sent) => replaceSecret('clientSecret', sent, before.clientSecret, hasMoved))
}

function rowOf({ secrets }: Deps, { clientSecret, ...provider }: ConsoleProvider, createdAt: Date): ConsoleProviderRow {
  const sealedClientSecret = secrets.seal(clientSecret, consoleProviderContext(provider.id))
  return { ...provider, sealedClientSecret, createdAt }
}

function requireCallable({ config }: Deps, issuer: string): void {
  const wrong = findUrlFault(issuer, { allowLoopback: config.outboundAllowLoopback })
  if (wrong) throw wrongField('issuer', wrong, issuer)
}
