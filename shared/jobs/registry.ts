import type { AnalyticsEvent } from '../domain/operations/events.ts'
import type { SealedMessage } from '../formats/jwm/seal-message.ts'
import type { SignerKind } from '../formats/x509/profiles.ts'
import { type JobDefinition, job, type Outcomes, type QueueName, type Typed } from './definition.ts'
import {
  creationJob,
  fanningOut,
  fanningOutPortion,
  messages,
  searchJob,
  signature,
  signingQueue,
  signingScan,
  tenantDeliveries,
  upkeepUntilDone,
} from './job-settings.ts'
import type {
  AccessCertificateRequest,
  ChangePortion,
  ClientAssertionRequest,
  DeliveryRef,
  EncryptedRequest,
  IntegrationRef,
  IssuanceAnswer,
  IssuanceRef,
  IssuanceRequest,
  KeyRotation,
  LineRef,
  ManagementTokenRequest,
  MessageToDecrypt,
  MessageToEncrypt,
  MessageToSign,
  MetadataSignatureRequest,
  Signature,
  SignatureRequest,
  SubjectRef,
  UnusedKeyDestruction,
  WebhookSignatureRequest,
} from './payloads.ts'

/** All asynchronous work of the service. A new job is a row here and a handler in `workers/`. */
export const jobs = {
  provisionTenant: job<{ tenantId: string }, Record<string, never>>()(creationJob),
  /** A credential request sends it and waits. */
  issueCredentials: job<{ items: IssuanceRequest[] }, Outcomes<IssuanceAnswer>>()({
    ...{ ...creationJob, sealed: true },
    signingQueue: { ...signingQueue, maxItemsBesideOthers: 8, gatherAfterBatchMs: 8 },
  }),
  /** Signs deferred issuances, which have rows. The outbox sends it. */
  signCredentials: job<{ items: IssuanceRef[] }, Outcomes<IssuanceAnswer>>()({ ...creationJob, batch: 20 }),
  /** Credentials that operators sign without OpenID4VCI. It runs half as many jobs as issuances, which have priority. */
  signDirectly: job<{ items: SignatureRequest[] }, Outcomes<Signature>>()({
    queue: 'signing',
    attempts: 3,
    backoffMs: 100,
    sealed: true,
    signingQueue: { ...signingQueue, maxJobs: 2 },
  }),
  signManagementTokens: job<{ items: ManagementTokenRequest[] }, Outcomes<{ accessToken: string }>>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
    sealed: true,
    signingQueue,
  }),
  signWebhooks: job<{ items: WebhookSignatureRequest[] }, Outcomes<{ headers: Record<string, string> }>>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
    // The path of a receiver can be its secret.
    sealed: true,
    signingQueue: { ...signingQueue, maxItems: tenantDeliveries, gatherMs: 50 },
  }),
  /** The first new key gets the id in the payload. A retry finds by it what the first run did. */
  rotateKeys: job<KeyRotation, { keyId: string }>()(creationJob),
  /** Compares the rows of keys with the keys of the providers, for an operator of the platform. */
  checkKeys: job<{ tenantId: string }, Record<string, never>>()(creationJob),
  /** Destroys keys of a provider that no row names. */
  destroyUnusedKeys: job<UnusedKeyDestruction, { destroyed: number; refused: number; left: number }>()(creationJob),
  /** Creates the key and the request of an access certificate. A retry finds by the id what the first run did. */
  makeAccessCertificate: job<AccessCertificateRequest, Record<string, never>>()(creationJob),
  /** Completes the row of a certificate. */
  makeCertificate: job<{ tenantId: string; certificateId: string }, Record<string, never>>()(creationJob),
  /** Creates the signers of an IACA that became active. The outbox row has the id of the IACA. */
  makeSigners: job<{ tenantId: string; caId: string }>()({ ...upkeepUntilDone, queue: 'signing' }),
  /** Completes the row of a DID. */
  makeDid: job<{ tenantId: string; didId: string }, Record<string, never>>()(creationJob),
  /** Completes the row of a trusted list. */
  publishTrustedList: job<{ tenantId: string; listId: string }, Record<string, never>>()(creationJob),
  /** Publishes an authority's CRL after a revocation, or when the next one is due. */
  publishCrl: job<{ tenantId: string; caId: string }, Record<string, never>>()({
    queue: 'signing',
    attempts: 3,
    backoffMs: 100,
    forgetFailures: true,
  }),
  /** Returns the plaintext in base64. */
  decryptRequests: job<{ items: EncryptedRequest[] }, Outcomes<{ plaintext: string }>>()(messages),
  encryptMessages: job<{ items: MessageToEncrypt[] }, Outcomes<SealedMessage>>()(messages),
  /** Returns the plaintext in base64. */
  decryptMessages: job<{ items: MessageToDecrypt[] }, Outcomes<{ plaintext: string; recipientDidUrl: string }>>()(
    messages,
  ),
  /** Returns a JWS in the compact form. */
  signMessages: job<{ items: MessageToSign[] }, Outcomes<{ jws: string }>>()(messages),
  /** Rotates the keys of all tenants that are due. */
  rotateDueKeys: job<Record<string, never>>()({
    queue: 'signing-bulk',
    attempts: 3,
    backoffMs: 1_000,
    everyMs: 3_600_000,
  }),
  /** Compares the rows of keys with the keys of the providers. */
  compareKeys: job<Record<string, never>>()({ queue: 'signing-bulk', attempts: 1, backoffMs: 0, everyMs: 600_000 }),
  /** Only earlier versions queue it. */
  rotateEncryptionKeys: job<Record<string, never>>()({ queue: 'signing-bulk', attempts: 3, backoffMs: 1_000 }),
  /** Rewraps private keys that are wrapped with an older key-encryption key. */
  rewrapKeys: job<Record<string, never>>()({ queue: 'signing-bulk', attempts: 1, backoffMs: 0, everyMs: 60_000 }),
  /** The job's id contains the id of the list, so that one job at a time publishes a list. */
  publishList: job<{ tenantId: string; listId: string }>()({ ...signingScan, attempts: 5, backoffMs: 500 }),
  /** Publishes a list of an ecosystem with automatic publication. The job's id contains the id of the configuration. */
  publishDueTrustedList: job<{ tenantId: string; configurationId: string }>()({
    ...signingScan,
    attempts: 3,
    backoffMs: 500,
  }),
  /** Signs a checkpoint of the tenant's audit. The job's id contains the tenant. */
  checkpointAudit: job<{ tenantId: string }>()({ ...signingScan, attempts: 3, backoffMs: 1_000 }),
  /** Issues the rows of a bulk issuance. The outbox row has the id of the run. */
  issueBulk: job<{ tenantId: string; bulkId: string; run: number }>()({ ...upkeepUntilDone, queue: 'signing-bulk' }),
  /** Destroys a private key in another provider than software. The outbox row has `destroy-` and the id of the key. */
  destroyKey: job<{ tenantId: string; keyId: string; provider: string; handle: string }>()({
    ...upkeepUntilDone,
    queue: 'signing-bulk',
  }),
  /** Signs the receipt of an erasure. The outbox row has the erasure's id. */
  signErasureReceipt: job<{ tenantId: string; erasureId: string }>()({ ...upkeepUntilDone, queue: 'signing-bulk' }),
  /** Renews the signers of one kind under one authority. The job's id contains both. */
  renewSigners: job<{ tenantId: string; caId: string; kind: SignerKind }>()({
    queue: 'signing-bulk',
    attempts: 3,
    backoffMs: 1_000,
    forgetFailures: true,
  }),
  /** Signs that the tenant's DID and host belong together. */
  signDomainLinkage: job<{ tenantId: string }, { credential: Record<string, unknown> }>()(signature),
  signIssuerMetadata: job<MetadataSignatureRequest, { jwt: string }>()(signature),
  /** Creates the key of the assertions of a tenant, unless it has one. */
  makeAssertionKey: job<{ tenantId: string }, Record<string, never>>()(creationJob),
  /** Authenticates a tenant to its sign-in provider. */
  signClientAssertion: job<ClientAssertionRequest, { assertion: string }>()(signature),

  queueDueCertificates: job<Record<string, never>>()({ ...searchJob, everyMs: 5_000 }),
  queueDueCheckpoints: job<Record<string, never>>()({ ...searchJob, everyMs: 60_000 }),
  queueDueLists: job<Record<string, never>>()({ ...searchJob, everyMs: 1_000 }),
  /** Logs the status lists that expire soon because their renewal failed. */
  warnOfEndingLists: job<Record<string, never>>()({ ...searchJob, everyMs: 3_600_000 }),
  /** Finds the events of webhooks that no request causes: expired and failed offers, and ending certificates. */
  findTimedEvents: job<Record<string, never>>()({ ...searchJob, everyMs: 60_000 }),
  /** Counts the offers that failed or expired, by day and configuration. */
  countExpiredOffers: job<Record<string, never>>()({ ...searchJob, everyMs: 60_000 }),
  queueDueTrustedLists: job<Record<string, never>>()({ ...searchJob, everyMs: 10_000 }),

  queueDueIntegrations: job<Record<string, never>>()({ ...searchJob, queue: 'integrations', everyMs: 10_000 }),
  // The row has the outcome of the synchronisation. The attempts are for failures of the service itself.
  syncIntegration: job<IntegrationRef>()({
    queue: 'integrations',
    attempts: 3,
    backoffMs: 5_000,
    forgetFailures: true,
    isQueuedByScan: true,
  }),

  fanOut: job<{ items: SubjectRef[] }>()(fanningOut),
  fanOutChanges: job<ChangePortion>()(fanningOutPortion),
  /** Only earlier versions write it to the outbox. They had only events of issuances. */
  fanOutIssuances: job<{ items: IssuanceRef[] }>()(fanningOut),
  /** Only earlier versions queue it. */
  deliverWebhook: job<Record<string, unknown>>()({ queue: 'delivery', attempts: 1, backoffMs: 0 }),
  // The rows have the outcomes of the deliveries. The attempts are for failures of the service itself.
  deliverWebhooks: job<{ items: DeliveryRef[] }>()({
    queue: 'delivery',
    attempts: 5,
    backoffMs: 1_000,
    batch: 64,
    forgetFailures: true,
  }),
  queueDueDeliveries: job<Record<string, never>>()({ queue: 'delivery', attempts: 1, backoffMs: 0, everyMs: 1_000 }),

  // The settings are those of deliverWebhooks.
  sendMessages: job<{ items: LineRef[] }>()({
    queue: 'delivery',
    attempts: 5,
    backoffMs: 1_000,
    batch: 16,
    forgetFailures: true,
  }),
  queueDueMessages: job<Record<string, never>>()({ queue: 'delivery', attempts: 1, backoffMs: 0, everyMs: 1_000 }),

  /** Stores the events of the list (waiting-events.ts). The schedule covers events whose job was lost. */
  storeEvents: job<Record<string, never>>()({ queue: 'analytics', attempts: 5, backoffMs: 1_000, everyMs: 5_000 }),
  /** Only earlier versions queue it. They had no list of events. */
  recordEvents: job<{ events: AnalyticsEvent[] }>()({ queue: 'analytics', attempts: 5, backoffMs: 1_000 }),

  recoverDeliveries: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 5_000 }),
  recoverIssuances: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 30_000 }),
  // The `remove` jobs delete rows of a deleted object, possibly millions. The outbox row has the object's id.
  removeTenant: job<{ tenantId: string }>()(upkeepUntilDone),
  removeWebhook: job<{ tenantId: string; webhookId: string }>()(upkeepUntilDone),
  /** Ends the deliveries of a disabled webhook. The outbox row's id contains webhook and generation. */
  endDeliveries: job<{ tenantId: string; webhookId: string; generation: number }>()(upkeepUntilDone),
  removeInbox: job<{ tenantId: string; inboxId: string }>()(upkeepUntilDone),
  removeEcosystem: job<{ tenantId: string; ecosystemId: string }>()(upkeepUntilDone),
  removeHolderApplication: job<{ tenantId: string; applicationId: string }>()(upkeepUntilDone),
  /** Removes data of an erased user in other rows. The outbox row has the user's id. */
  finishErasure: job<{ tenantId: string; userId: string; offerIds: string[] }>()(upkeepUntilDone),
  /** Processes one portion of a bulk request, and queues itself for the next. The outbox row has the request's id. */
  setBulkStatus: job<{ tenantId: string; bulkId: string }>()(upkeepUntilDone),
  /** Stores the rows of a file in portions, with their errors. The outbox row has the id of the bulk issuance. */
  validateBulkIssuance: job<{ tenantId: string; bulkId: string }>()(upkeepUntilDone),
  /** Renews the expired links of a bulk issuance in portions. The outbox row has the id of the renewal. */
  renewExpiredLinks: job<{ tenantId: string; bulkId: string; renewalId: string }>()(upkeepUntilDone),
  /** Removes the claims of a cancelled bulk issuance. The outbox row has its id and `-wipe`. */
  wipeBulk: job<{ tenantId: string; bulkId: string }>()(upkeepUntilDone),
  /** Removes rows of DIDs that were not completed, because the process that requested them died. */
  cancelDids: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 30_000 }),
  /** Only earlier versions queue it. It is `cancelDids`. */
  callOffDids: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0 }),
  /** Ends the approvals that were not decided in time. */
  expireApprovals: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 60_000 }),
  purgeExpired: job<Record<string, never>>()({ queue: 'upkeep', attempts: 3, backoffMs: 1_000, everyMs: 60_000 }),
  /** Stores the names of configurations that an earlier version stored without them. */
  nameConfigurations: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 60_000 }),
} satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type Payload<Name extends JobName> = (typeof jobs)[Name] extends Typed<QueueName, infer P, infer _R> ? P : never
export type Result<Name extends JobName> = (typeof jobs)[Name] extends Typed<QueueName, infer _P, infer R> ? R : never

export type JobsOf<Queue extends QueueName> = {
  [Name in JobName]: (typeof jobs)[Name] extends { queue: Queue } ? Name : never
}[JobName]

/** Jobs of the signing process that take items of several callers and return one outcome for each. */
export type SharedJob = {
  [Name in JobsOf<'signing'>]: [Payload<Name>, Result<Name>] extends [
    { items: { tenantId: string }[] },
    Outcomes<infer _R>,
  ]
    ? Name
    : never
}[JobsOf<'signing'>]
export type ItemOf<Name extends SharedJob> =
  Payload<Name> extends { items: (infer Item extends { tenantId: string })[] } ? Item : never
export type AnswerOf<Name extends SharedJob> = Result<Name> extends Outcomes<infer Answer> ? Answer : never

/** Returns the definition of a job as the general type. */
export function definitionOf(name: JobName): JobDefinition {
  return jobs[name]
}

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name)
}
