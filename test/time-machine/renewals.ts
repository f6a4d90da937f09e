import SqliteDatabase from 'better-sqlite3'
import type { JobName } from '../../shared/jobs/registry.ts'

interface Payload {
  listId?: string
  caId?: string
  configurationId?: string
  kind?: string
}

/** Returns whether a job is the renewal of a kind. */
type IsRenewal = (name: JobName, payload: Payload, kindOf: (id: string | undefined) => string) => boolean

const ofJob =
  (job: JobName) =>
  (kind: string) =>
  (name: JobName, { listId, caId, configurationId }: Payload, kindOf: (id: string | undefined) => string) =>
    name === job && kindOf(listId ?? caId ?? configurationId) === kind

const signer =
  (kind: string): IsRenewal =>
  (name, payload) =>
    name === 'renewSigners' && payload.kind === kind
const scheduled =
  (job: JobName): IsRenewal =>
  (name) =>
    name === job
/** The operator replaces authorities. */
const byOperator: IsRenewal = () => false

const list = ofJob('publishList')
const crl = ofJob('publishCrl')
const trustedList = ofJob('publishDueTrustedList')

/** The renewals that can be switched off, to show that a check notices each. */
export const renewals: Record<string, IsRenewal> = {
  'compact-list': list('compact'),
  'compact-semantic-list': list('compact-semantic'),
  'web-semantic-list': list('web-semantic'),
  'mobile-list': list('mobile'),
  'sd-jwt-list': list('sd-jwt'),
  iaca: byOperator,
  'iaca-crl': crl('iaca'),
  'ecosystem-ca': byOperator,
  'ecosystem-ca-crl': crl('ecosystem-ca'),
  vical: trustedList('vical'),
  rical: trustedList('rical'),
  'document-signer': signer('document-signer'),
  'status-list-signer': signer('status-list-signer'),
  'sd-jwt-signer': signer('sd-jwt-signer'),
  'vical-signer': signer('vical-signer'),
  'rical-signer': signer('rical-signer'),
  keys: scheduled('rotateDueKeys'),
  checkpoints: scheduled('checkpointAudit'),
}

/** Returns a function that recognizes the jobs of a renewal. It reads kinds from the database with a connection of its own. */
export function createSwitch(file: string, kind: string | undefined): (name: JobName, payload: unknown) => boolean {
  const isRenewal = kind === undefined ? undefined : renewals[kind]
  if (!isRenewal) return () => false
  const connection = new SqliteDatabase(file, { readonly: true })
  const rows = connection
    .prepare<[string, string, string], string>(
      `SELECT kind FROM status_lists WHERE id = ? UNION SELECT kind FROM certificates WHERE id = ?
       UNION SELECT kind FROM trusted_list_configurations WHERE id = ?`,
    )
    .pluck()
  const kindOf = (id = '') => rows.get(id, id, id) ?? ''
  return (name, payload) => isRenewal(name, (payload ?? {}) as Payload, kindOf)
}
