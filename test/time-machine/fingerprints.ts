import SqliteDatabase from 'better-sqlite3'

/** What is stored about published documents, to fetch only what has changed. */
export interface Fingerprints {
  /** Returns whether another connection has written since the last call. */
  hasChanged(): boolean
  /** Returns a text for each tenant and kind, which changes with the documents. `keys` stands for all keys of the tenant. */
  read(): Map<string, string>
  close(): void
}

const query = `
  SELECT tenant_id AS tenant, kind || '-list' AS kind,
    (SELECT group_concat(version) FROM published_lists WHERE list_id = id) AS text FROM status_lists
  UNION ALL SELECT tenant_id, kind, id || is_active FROM certificates WHERE kind IN ('iaca', 'ecosystem-ca')
  UNION ALL SELECT crls.tenant_id, certificates.kind || '-crl', crls.ca_id || crls.number FROM crls
    JOIN certificates ON certificates.id = crls.ca_id
  UNION ALL SELECT tenant_id, kind, max(number) FROM trusted_lists GROUP BY tenant_id, kind
  UNION ALL SELECT tenant_id, 'keys', count(*) || max(created_at) || total(retired_at) FROM keys
    WHERE owner_kind = 'tenant' GROUP BY tenant_id`

/** Reads with a connection of its own. It only saves requests: each document is fetched daily in any case. */
export function createFingerprints(file: string): Fingerprints {
  const connection = new SqliteDatabase(file, { readonly: true })
  const statement = connection.prepare<[], { tenant: string; kind: string; text: string | null }>(query)
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  let last = -1
  return {
    hasChanged() {
      const now = version.get() ?? 0
      const changed = now !== last
      last = now
      return changed
    },
    read() {
      const all = new Map<string, string>()
      for (const { tenant, kind, text } of statement.all()) {
        const name = `${tenant} ${kind}`
        all.set(name, `${all.get(name) ?? ''} ${text}`)
      }
      return all
    },
    close: () => void connection.close(),
  }
}

/** For runs that fetch all documents in each step. */
export const noFingerprints: Fingerprints = { hasChanged: () => false, read: () => new Map(), close: () => undefined }
