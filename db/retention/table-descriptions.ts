/** Describes a table for docs/data-model.md. */
export interface TableDescription {
  /** The purpose of the rows, in one sentence. */
  purpose: string
  /** Facts that the retention table does not contain: an exception, or the reason why rows stay. */
  note?: string
}

/** All tables by domain and name. `npm run docs:data-model` prints docs/data-model.md from them. */
export const tableDescriptions: Readonly<Record<string, Readonly<Record<string, TableDescription>>>> = {
  tenancy: {
    tenants: {
      purpose: 'Tenants and the platform, with settings, branding and state.',
      note: 'Removed last, after all rows of the tenant.',
    },
    tenant_hosts: { purpose: 'The hosts of a tenant: its subdomain and its aliases.' },
    clients: { purpose: 'Management clients, with hashes of their secrets and with their roles.' },
    logos: {
      purpose:
        'Uploaded logos. Everyone can read them. A tenant keeps 100 logos. A further one replaces the oldest that neither its branding nor a configuration shows.',
    },
  },
  console: {
    console_providers: { purpose: 'The OpenID Connect provider at which operators sign in to the console.' },
    console_sign_ins: { purpose: 'Sign-ins to the console that wait for the return from the provider.' },
    console_sessions: { purpose: 'Sessions of the console, of management clients and of people.' },
    console_program_codes: { purpose: 'Codes with which a program of an operator gets a session.' },
    console_links: { purpose: 'Links that sign a management client in to the console once.' },
  },
  issuance: {
    configurations: { purpose: 'Credential configurations of all profiles.' },
    sd_jwt_types: { purpose: 'Versions of the type metadata of SD-JWT VC configurations.' },
    offers: { purpose: 'Pre-authorized offers.' },
    offer_failures: { purpose: 'The last failed request of each pre-authorized offer that had one.' },
    claim_links: {
      purpose: 'Links of bulk issuances with which a person collects credentials once, with sealed claims.',
      note: 'The claims are removed when the link is collected.',
    },
    shared_offers: { purpose: 'Offers of the authorization code flow, each for any number of people.' },
    shared_offer_configurations: { purpose: 'The configurations that a shared offer names.' },
    pushed_requests: {
      purpose: 'Pushed authorization requests (RFC 9126).',
      note: 'Rows of a removed tenant expire in the same way, within a day.',
    },
    authorizations: { purpose: 'Authorization requests, from the browser of the wallet to the code.' },
    sessions: { purpose: 'Access tokens of wallets (as hashes), and what they can collect.' },
    session_claims: { purpose: 'The configurations that a session has collected once.' },
    refresh_tokens: { purpose: 'Refresh tokens of wallets, as hashes.' },
    spent_proofs: { purpose: 'Nonces and proof ids that were used.' },
    issuances: {
      purpose: 'Credential requests with their state and their result.',
      note: 'The signed credentials are removed earlier: see above.',
    },
    bulk_issuances: {
      purpose: 'Files of people from which credentials are issued: settings, state and progress.',
      note: 'One that is validated or issued has no age.',
    },
    bulk_file_chunks: {
      purpose: 'The uploaded files of bulk issuances, sealed, in chunks.',
      note: 'Removed when the rows of the file are stored.',
    },
    bulk_rows: {
      purpose:
        'The rows of bulk issuances: sealed claims until they are issued, errors, sealed results, and sealed cells of kept columns.',
      note: 'Claims are removed with their portion.',
    },
    notifications: { purpose: 'Notifications of wallets about their credentials.' },
    credentials: { purpose: 'Issued credentials: metadata, without claim values.' },
    users: { purpose: 'The people to whom a tenant issues credentials, with their claims.' },
    user_claim_terms: { purpose: 'The search index of users.' },
    authentication_providers: { purpose: 'The OpenID Connect provider at which users sign in.' },
    authorization_servers: {
      purpose: 'Authorization servers of the operator, whose access tokens the tenant accepts.',
    },
    claim_sources: { purpose: 'Services of the operator that supply claims during an issuance.' },
    interaction_hooks: { purpose: 'The component to which people are sent between sign-in and issuance.' },
    views: { purpose: 'Further credential issuers of a tenant for wallets: configurations and protocol profile.' },
    access_certificates: {
      purpose: 'Certificates that identify the tenant to wallets as a registered provider of attestations.',
    },
    registration_certificates: { purpose: 'What a tenant is registered for, signed by a registrar.' },
    gone_views: { purpose: 'The paths and hosts of deleted views, which answer 410.' },
    oauth_clients: { purpose: 'Registered wallets.' },
    wallet_providers: { purpose: 'Certificates of wallet providers whose attested wallets are admitted.' },
    holder_applications: { purpose: 'Apps of holders that can register with the tenant.' },
    holder_instances: { purpose: 'Installations of these apps, each with its registered key.' },
  },
  credentials: {
    signed_credentials: {
      purpose: 'Credentials that operators signed directly: metadata, without content.',
      note: 'Only cancelled requests have an age. A signed credential is stored until it is deleted.',
    },
    stored_credentials: { purpose: 'JSON-LD credentials and SD-JWT VCs that are stored whole because of `persist`.' },
    stored_credential_types: { purpose: 'The types of stored credentials, for the search by type.' },
    contexts: { purpose: 'JSON-LD contexts of the tenant.' },
    presentation_templates: { purpose: 'Templates of presentation requests.' },
  },
  verifier: {
    verifier_templates: { purpose: 'Queries for credentials of wallets, with the checks of the answer.' },
    verifier_applications: { purpose: 'Websites and apps that request credentials.' },
    verifier_wallet_providers: { purpose: 'Wallets that receive requests at an address of their own.' },
  },
  status: {
    status_lists: { purpose: 'Status lists, with the number of allocated indexes.' },
    status_entries: {
      purpose: 'The status and the status index of each revocable credential.',
      note: 'The entry of an erased person stays, without the id of the credential: the list must continue to say `invalid`.',
    },
    status_changes: {
      purpose: 'Changes of status entries that no published list contains yet.',
      note: 'Removed when a list with the change is published.',
    },
    published_lists: {
      purpose: 'The newest published version of each status list.',
      note: 'Replaced by the next version.',
    },
    status_list_configurations: { purpose: 'Validity and cache times of the token status lists of a document type.' },
    status_bulks: { purpose: 'Bulk status requests, with their progress.' },
  },
  certificates: {
    certificates: { purpose: 'Certificates of the tenant: authorities and signers.' },
    crls: { purpose: 'The newest CRL of each managed authority.' },
    revoked_certificates: {
      purpose: 'Entries of the CRLs.',
      note: 'An entry stays after its certificate is deleted.',
    },
    trusted_issuers: { purpose: 'External authorities whose mobile credentials the verifiers of the tenant trust.' },
  },
  identifiers: {
    dids: { purpose: 'DIDs that operators created.' },
    keys: {
      purpose: 'Private keys, wrapped by `KEY_ENCRYPTION_KEY`, with their public keys.',
      note: 'Retired keys stay: old signatures name them.',
    },
    key_comparisons: {
      purpose:
        'The last comparison of the keys with the private keys of each provider besides the database: which are missing, and which no key names.',
    },
  },
  messaging: {
    inboxes: { purpose: 'Inboxes of the tenant.' },
    inbox_dids: { purpose: 'The DIDs whose messages an inbox receives.' },
    inbox_messages: { purpose: 'Received messages, encrypted.' },
    outgoing_lines: { purpose: 'One queue for each external recipient of messages.' },
    outgoing_messages: { purpose: 'Messages to external recipients, encrypted.' },
  },
  ecosystems: {
    ecosystems: { purpose: 'Ecosystems.' },
    ecosystem_credential_types: { purpose: 'The credential types of an ecosystem.' },
    participants: { purpose: 'Issuers and verifiers of an ecosystem.' },
    participant_identifiers: { purpose: 'The DIDs of participants.' },
    participant_credential_types: { purpose: 'The credential types that are assigned to participants.' },
    participant_certificates: { purpose: 'The certificates of participants. Trusted lists are built from them.' },
    participant_evidence: { purpose: 'Evidence on participants: the metadata of PDF files.' },
    evidence_chunks: { purpose: 'The content of evidence, in chunks.' },
    ecosystem_policies: { purpose: 'Published policies.' },
    trusted_list_configurations: {
      purpose: 'Settings, schedule, retention and last number of VICALs, RICALs and lists of trusted entities.',
    },
    trusted_lists: {
      purpose: 'Published VICALs, RICALs and lists of trusted entities.',
      note: 'Old lists are removed if their configuration has a `retention`.',
    },
    ecosystem_integrations: { purpose: 'External trusted lists that an ecosystem uses.' },
    integrated_certificates: { purpose: 'The certificates of the last valid version of an external list.' },
  },
  operations: {
    approvals: {
      purpose: 'Requests that another person or program must approve, with their decision.',
      note: 'The request is removed when it is decided or expires.',
    },
    webhooks: { purpose: 'Webhooks, with the health of their receivers.' },
    deliveries: {
      purpose: 'Deliveries of events to webhooks, with their attempts.',
      note: 'A pending delivery is not purged.',
    },
    listener_requests: { purpose: 'Signed requests of webhooks that a listener sends on its machine, for seconds.' },
    events: {
      purpose: 'Analytics events.',
      note: 'The events of an offer that was made for one person are erased with that person.',
    },
    issued_days: { purpose: 'The number of successful issuances of each day.' },
    issuance_outcomes: {
      purpose:
        'The number of successful issuances of each day and configuration, and of failed and expired offers of each day.',
    },
    audit_events: { purpose: 'The audit: one row for each change that bears on security, in a hash chain.' },
    audit_heads: {
      purpose: 'The number and the hash of the last audit row of each tenant, and the size of its last checkpoint.',
    },
    audit_objects: {
      purpose: 'The credentials whose status an audit row changed, with the name of the person or client at that time.',
    },
    audit_checkpoints: { purpose: 'Signed checkpoints of the audit of each tenant.' },
    erasures: {
      purpose: 'What the erasure of each user removed, with its signed receipt. Does not identify the user.',
    },
    idempotency_keys: {
      purpose: 'The keys of requests that create something, with the sealed answers for repeated requests.',
    },
    managed_objects: { purpose: 'The objects that the files of a tenant made, by kind and name.' },
    audit_subtrees: { purpose: 'Roots of complete parts of the Merkle tree over the audit.' },
    walks: { purpose: 'The cursors of the upkeep jobs.', note: 'One row for each job. Never removed.' },
    outbox: {
      purpose: 'Jobs that must run, written in the transaction that requires them.',
      note: 'Removed when the job is queued, or, for some jobs, when it is done.',
    },
  },
}
