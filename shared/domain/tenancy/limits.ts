/** How much of a kind a tenant may store, unless the platform says otherwise for it. One more is a conflict. */
export const ceilings = {
  webhooks: 100,
  /** Of management clients, and as many registered wallets. */
  clients: 1_000,
  /** Of all profiles together. */
  configurations: 1_000,
  trustedIssuers: 1_000,
  walletProviders: 100,
  /** Of JSON-LD. */
  contexts: 100,
  /** Besides the tenant's own. */
  dids: 1_000,
  holderApplications: 100,
  inboxes: 1_000,
  /** Of all inboxes together. */
  inboxDids: 10_000,
  /** Of each inbox. */
  inboxMessages: 10_000,
  /** Of the messages in each inbox. */
  inboxBytes: 100_000_000,
  /** That wait to be delivered elsewhere. */
  outgoingMessages: 10_000,
  /** For so many days a message waits in its inbox. */
  inboxDays: 30,
  /** Of each application. */
  holderInstances: 1_000_000,
  ecosystems: 100,
  /** Of each ecosystem, as are the next three. */
  ecosystemCredentialTypes: 1_000,
  participants: 10_000,
  participantCertificates: 10_000,
  /** From lists of others, of all of them together. */
  integratedCertificates: 10_000,
  /** On all participants of all ecosystems together, as is the next. */
  participantEvidence: 10_000,
  evidenceBytes: 10_000_000_000,
}

export type Ceilings = typeof ceilings

/** What may happen in a minute; 0 for any number. */
export interface Rates {
  /** Requests without a token, of one address. */
  anonymousPerMinute: number
  /** Secrets, codes and tokens that were wrong, from one address. */
  failedSecretsPerMinute: number
  /** Requests of management clients that change something. */
  managementWritesPerMinute: number
  /** Credential requests of wallets. */
  issuancesPerMinute: number
}

/** What may happen in 24 hours. */
export interface DailyRates {
  /** Attempts to register without a required key attestation, of one address; at least 1. */
  registrationsPerDay: number
}

export type Limits = Rates & DailyRates & Ceilings
