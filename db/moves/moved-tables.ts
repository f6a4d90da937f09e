import { type CopiedTable, copiedTables } from '../copy/copied-tables.ts'
import type { RowFilter } from '../copy/portions.ts'
import { quoted } from '../copy/side.ts'

/** The tables whose rows of a tenant move with it, in the order of the file. A test compares both lists with the schema. */
export const movedTables: readonly string[] = [
  ...['tenants', 'tenant_hosts', 'clients', 'logos', 'console_providers'],
  // A key in a device cannot move. The export refuses it.
  ...['keys', 'dids'],
  ...['certificates', 'crls', 'revoked_certificates', 'trusted_issuers'],
  ...['configurations', 'sd_jwt_types', 'authentication_providers', 'claim_sources', 'interaction_hooks'],
  ...['authorization_servers', 'views', 'gone_views', 'access_certificates', 'registration_certificates'],
  ...['oauth_clients', 'wallet_providers', 'holder_applications', 'holder_instances'],
  ...['users', 'user_claim_terms'],
  ...['offers', 'offer_failures', 'shared_offers', 'shared_offer_configurations', 'claim_links'],
  ...['bulk_issuances', 'bulk_file_chunks', 'bulk_rows'],
  ...['authorizations', 'pushed_requests', 'sessions', 'session_claims', 'refresh_tokens', 'spent_proofs'],
  ...['issuances', 'credentials', 'notifications'],
  ...['signed_credentials', 'stored_credentials', 'stored_credential_types', 'contexts', 'presentation_templates'],
  ...['verifier_templates', 'verifier_applications', 'verifier_wallet_providers'],
  ...['status_list_configurations', 'status_lists', 'status_entries', 'status_changes', 'published_lists'],
  'status_bulks',
  ...['inboxes', 'inbox_dids', 'inbox_messages', 'outgoing_lines', 'outgoing_messages'],
  ...['ecosystems', 'ecosystem_credential_types', 'ecosystem_policies', 'ecosystem_integrations'],
  ...['integrated_certificates', 'participants', 'participant_identifiers', 'participant_credential_types'],
  ...['participant_certificates', 'participant_evidence', 'evidence_chunks'],
  ...['trusted_list_configurations', 'trusted_lists'],
  ...['webhooks', 'deliveries', 'outbox', 'events', 'issued_days', 'issuance_outcomes', 'managed_objects'],
  ...['approvals', 'idempotency_keys', 'erasures'],
  ...['audit_events', 'audit_objects', 'audit_subtrees', 'audit_checkpoints', 'audit_heads'],
]

/** The tables whose rows stay at the old installation, by the reason. */
export const stayingTables: Readonly<Record<string, string>> = {
  console_sessions: 'Operators sign in again at the new installation.',
  console_sign_ins: 'A sign-in takes minutes. The operator starts it again.',
  console_links: 'A link signs in within 15 minutes.',
  console_program_codes: 'A code belongs to a session of the console.',
  listener_requests: 'A request waits for seconds. Its delivery is attempted again.',
  key_comparisons: 'The comparisons are of the providers of the installation.',
  walks: 'The cursors belong to the installation, not to a tenant.',
}

/** Returns the moved tables in the order of the file. */
export function tablesOfMove(): CopiedTable[] {
  const all = new Map(copiedTables().map((table) => [table.name, table]))
  return movedTables.map((name) => {
    const table = all.get(name)
    if (!table) throw new Error(`The schema has no table ${name}.`)
    return table
  })
}

/** The expressions of the tenant of a row in tables without `tenant_id`. */
const tenantOf: Readonly<Record<string, string>> = { tenants: '"id"', outbox: `"payload" ->> 'tenantId'` }

/** Selects the rows of a tenant. */
export function rowsOfTenant({ name }: CopiedTable, tenantId: string): RowFilter {
  return { expression: tenantOf[name] ?? quoted('tenant_id'), value: tenantId }
}
