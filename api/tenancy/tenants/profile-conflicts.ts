import type { Writer } from '../../../db/client.ts'
import { findViewOfProfile, findViewsWithHosts } from '../../../db/repos/issuance/views.ts'
import type { TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { followsHaip, protocolProfiles } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem, type ProblemDetail, wrongField } from '../../../shared/errors/errors.ts'

/** Throws `bad_request` for settings that contradict the profiles `haip` and `eudi`. Names each of them. */
export function refuseProfileConflicts({ profile, publicClients, statusListFormat }: TenantSettings): void {
  if (!followsHaip(profile)) return
  const details: ProblemDetail[] = []
  const refuse = (param: string, msg: string) => details.push({ param, msg, location: 'body' })
  // HAIP 1.0, section 4.4.1: every wallet authenticates.
  if (publicClients)
    refuse('publicClients', `Must be false with the profile ${profile}, which requires attested wallets`)
  // HAIP 1.0, section 6.1: `status_list` of the Token Status List draft.
  if (statusListFormat === 'legacy') refuse('statusListFormat', `Must be draft14 with the profile ${profile}`)
  if (details.length > 0) throw new Problem('bad_request', { details })
}

/** Throws `bad_request` for settings that contradict a view with the profile `haip` or `eudi`. Needs the lock of the tenant. */
export async function refuseViewConflicts(
  tx: Writer,
  tenantId: string,
  { statusListFormat }: TenantSettings,
): Promise<void> {
  if (statusListFormat !== 'legacy') return
  const view = await findViewOfProfile(tx, tenantId, protocolProfiles.filter(followsHaip))
  if (!view) return
  const message = `Must be draft14 while the view ${view.name} has the profile ${view.profile}. Change the profile of the view first`
  throw wrongField('statusListFormat', message)
}

/** Throws `bad_request` for aliases without the host of a view. Needs the lock of the tenant. */
export async function refuseHostsOfViews(tx: Writer, tenantId: string, hosts: readonly string[]): Promise<void> {
  const views = await findViewsWithHosts(tx, tenantId)
  const view = views.find(({ host }) => !hosts.includes(host))
  if (view)
    throw wrongField('aliases', `Must contain ${view.host} while the view ${view.name} has it. Delete the view first`)
}
