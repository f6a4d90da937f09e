import { dayMs, type Filling, listSize, otherTenants, spanMs } from './filling.ts'

/** SQL for the owners of the filled rows: other tenants with a webhook each, unreachable receivers, and lists. */
export function ownersOf({ tenantId, users, at }: Filling): string[] {
  const since = `tw_at(${at - spanMs})`
  const away = `tw_at(${at + dayMs})`
  const others = Array.from({ length: otherTenants }, (_, number) => [
    `INSERT INTO tenants (id, kind, state, name, subdomain, canonical_host, did, settings, created_at)
      SELECT tw_id(0, 'tenant${number}'), kind, state, name, 'other${number}', 'other${number}.localhost', 'did:web:other${number}.localhost', settings, ${since}
      FROM tenants WHERE id = '${tenantId}'`,
    webhook(`tw_id(0, 'webhook${number}')`, `tw_id(0, 'tenant${number}')`, since, away),
  ])
  const lists = Array.from({ length: Math.ceil(users / 2 / listSize) }, (_, number) => {
    const id = `tw_id(0, 'list${number}')`
    return [
      // All positions are taken, so that the service opens the next list by itself.
      `INSERT INTO status_lists (id, tenant_id, kind, series, number, size, taken, permutation_key, created_at)
        VALUES (${id}, '${tenantId}', 'compact', '', ${number + 1}, ${listSize}, ${listSize}, '', ${since})`,
      `INSERT INTO published_lists (list_id, tenant_id, version, content, issued_at) VALUES (${id}, '${tenantId}', 1, '', ${since})`,
      // A change makes the service publish the list.
      `INSERT INTO status_changes (id, tenant_id, list_id, changed_at) VALUES (tw_id(0, 'change${number}'), '${tenantId}', ${id}, ${since})`,
    ]
  })
  return [...others.flat(), webhook(`tw_id(0, 'webhook away')`, `'${tenantId}'`, since, away), ...lists.flat()]
}

/** A webhook without events, so that the same webhooks receive the measured events on both databases. */
function webhook(id: string, tenantId: string, since: string, pausedUntil: string): string {
  return `INSERT INTO webhooks (id, tenant_id, events, url, disabled, failures, failing_since, paused_until, created_at)
    VALUES (${id}, ${tenantId}, tw_json('[]'), 'http://127.0.0.1:9/away', false, 20, ${since}, ${pausedUntil}, ${since})`
}
