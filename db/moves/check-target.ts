import { Misconfigured } from '../../shared/process/dependency.ts'
import type { Side } from '../copy/side.ts'
import type { MoveHeader } from './move-file.ts'

/** The event of the audit rows of an import. */
export const importEvent = 'TENANT_IMPORT_AUDIT'

/** Returns the id of the platform of the target. Throws Misconfigured before the first start of the service. */
export async function getPlatformId({ query }: Pick<Side, 'query'>): Promise<string> {
  const [[id] = []] = await query(`SELECT id FROM tenants WHERE subdomain = 'platform' AND kind = 'platform'`)
  if (typeof id === 'string') return id
  throw new Misconfigured('This installation has no platform yet. Start the service once, and stop it again.')
}

/** Returns whether an export was imported into this database. It stays true when the tenant is deleted. */
export async function isImported({ query, syntax }: Side, exportId: string): Promise<boolean> {
  const platformId = await getPlatformId({ query })
  const conditions = `tenant_id = ${syntax.parameter('text', 1)} AND type = ${syntax.parameter('text', 2)}`
  const rows = await query(`SELECT ${dataOf(syntax)} FROM audit_events WHERE ${conditions}`, [platformId, importEvent])
  return rows.some(([data]) => JSON.parse(String(data)).exportId === exportId)
}

const dataOf = ({ read }: Side['syntax']): string => read({ name: 'data', kind: 'json' })

/** Throws Misconfigured if the target has the id, the subdomain or a host of the tenant. */
export async function requireUnused({ query, syntax }: Side, { tenant }: MoveHeader): Promise<void> {
  const one = syntax.parameter('text', 1)
  const refuse = (what: string, id: unknown) => {
    throw new Misconfigured(`The tenant ${id} of this installation has ${what}. Nothing was imported.`)
  }
  const [[id] = []] = await query(`SELECT id FROM tenants WHERE id = ${one}`, [tenant.id])
  if (id) refuse('the id of the imported tenant', id)
  const [[ofSubdomain] = []] = await query(`SELECT id FROM tenants WHERE subdomain = ${one}`, [tenant.subdomain])
  if (ofSubdomain) refuse(`the subdomain ${tenant.subdomain}`, ofSubdomain)
  for (const host of tenant.hosts) {
    const [[holder] = []] = await query(`SELECT tenant_id FROM tenant_hosts WHERE host = ${one}`, [host])
    if (holder) refuse(`the host ${host}`, holder)
  }
}
