/** Default limits of stored objects per tenant. The platform can set others. A request beyond a limit is a conflict. */
export const defaultQuotas = {
  webhooks: 100,
  /** Management clients. The same limit applies separately to registered wallets. */
  clients: 1_000,
  /** Credential configurations of all profiles together. */
  configurations: 1_000,
  trustedIssuers: 1_000,
  walletProviders: 100,
  /** Views of the credential issuer. */
  views: 20,
  /** JSON-LD contexts. */
  contexts: 100,
  /** DIDs besides the tenant's own. */
  dids: 1_000,
  holderApplications: 100,
  inboxes: 1_000,
  /** DIDs of all inboxes together. */
  inboxDids: 10_000,
  /** Messages of one inbox. */
  inboxMessages: 10_000,
  /** Bytes of the messages in one inbox. */
  inboxBytes: 100_000_000,
  /** Outgoing messages that wait for delivery. */
  outgoingMessages: 10_000,
  /** Days for which an inbox stores a message. */
  inboxDays: 30,
  /** Instances of one holder application. */
  holderInstances: 1_000_000,
  ecosystems: 100,
  /** Credential types of one ecosystem. */
  ecosystemCredentialTypes: 1_000,
  /** Participants of one ecosystem. */
  participants: 10_000,
  /** Certificates of the participants of one ecosystem. */
  participantCertificates: 10_000,
  /** Certificates of one ecosystem from all of its external lists together. */
  integratedCertificates: 10_000,
  /** Evidence about all participants of all ecosystems together. */
  participantEvidence: 10_000,
  /** Bytes of this evidence. */
  evidenceBytes: 10_000_000_000,
  bulkIssuances: 100,
  /** Bytes of the uploaded files of bulk issuances whose rows are not stored yet. */
  bulkFileBytes: 10_000_000_000,
}

export type Quotas = typeof defaultQuotas

/** Limits per minute. 0 is no limit. */
export interface Rates {
  /** Requests of one address without a token. */
  anonymousPerMinute: number
  /** Wrong secrets, codes and tokens from one address. */
  failedSecretsPerMinute: number
  /** Write requests of management clients. */
  managementWritesPerMinute: number
  /** Credential requests of wallets. */
  issuancesPerMinute: number
}

/** Limits per 24 hours. */
export interface DailyRates {
  /** Attempts of one address to register without a required key attestation. At least 1. */
  registrationsPerDay: number
}

export type Limits = Rates & DailyRates & Quotas
