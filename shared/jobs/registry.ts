import type { AnalyticsEvent } from '../domain/operations/events.ts'
import type { SealedMessage } from '../formats/jwm/seal-message.ts'
import type { SignerKind } from '../formats/x509/profiles.ts'
import {
  type JobDefinition,
  job,
  type Outcomes,
  type QueueName,
  type SigningQueueLimits,
  type Typed,
} from './definition.ts'
import type {
  DeliveryRef,
  EncryptedRequest,
  IntegrationRef,
  IssuanceAnswer,
  IssuanceRef,
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
  WebhookSignatureRequest,
} from './payloads.ts'

/** A job of this weight, in values to be signed, takes some 50 ms. */
const lanes: SigningQueueLimits = { inFlight: 4, items: 64, weight: 2_000, tenantLine: 1_000, line: 4_000, fillMs: 20 }

/** How many deliveries of one tenant a process attempts at a time: as many are signed together, without waiting for others. */
export const tenantDeliveries = 32

const fanningOut = {
  queue: 'delivery',
  attempts: 20,
  backoffMs: 200,
  batch: 100,
  keptUntilDone: true,
  forgetFailures: true,
} as const

const upkeepUntilDone = {
  queue: 'upkeep',
  attempts: 20,
  backoffMs: 1_000,
  keptUntilDone: true,
  forgetFailures: true,
} as const

/** Of keys and what is made with them: somebody waits, and what was done is not done again. */
const making = { queue: 'signing', attempts: 3, backoffMs: 100 } as const

/** Messages are as large as requests are, and only those who share a job's turn wait for its key agreements. */
const messages = {
  queue: 'signing',
  attempts: 2,
  backoffMs: 100,
  sealed: true,
  lanes: { ...lanes, items: 16 },
} as const

/** The whole asynchronous surface of the service. A new job is a row here and a handler in `workers/`. */
export const jobs = {
  provisionTenant: job<{ tenantId: string }, Record<string, never>>()(making),
  // Called for, or from the outbox when nobody waits any more.
  signCredentials: job<{ items: IssuanceRef[] }, Outcomes<IssuanceAnswer>>()({
    queue: 'signing',
    attempts: 3,
    backoffMs: 100,
    batch: 20,
    lanes: { ...lanes, gatherInCompanyMs: 8 },
  }),
  /** What operators want signed, without OpenID4VCI. Others' issuances come first: it has half of their jobs under way. */
  signDirectly: job<{ items: SignatureRequest[] }, Outcomes<Signature>>()({
    queue: 'signing',
    attempts: 3,
    backoffMs: 100,
    sealed: true,
    lanes: { ...lanes, inFlight: 2 },
  }),
  signManagementTokens: job<{ items: ManagementTokenRequest[] }, Outcomes<{ accessToken: string }>>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
    sealed: true,
    lanes,
  }),
  signWebhooks: job<{ items: WebhookSignatureRequest[] }, Outcomes<{ headers: Record<string, string> }>>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
    lanes: { ...lanes, items: tenantDeliveries, gatherMs: 50 },
  }),
  /** The first of the new keys gets the id given, by which a second run knows what the first did. */
  rotateKeys: job<KeyRotation, { keyId: string }>()(making),
  /** Of a row that is there without its content. */
  makeCertificate: job<{ tenantId: string; certificateId: string }, Record<string, never>>()(making),
  /** Of a row that is there without its content. */
  makeDid: job<{ tenantId: string; didId: string }, Record<string, never>>()(making),
  /** Of a row that is there without its content. */
  publishTrustedList: job<{ tenantId: string; listId: string }, Record<string, never>>()(making),
  /** Puts what was revoked on an authority's CRL, and makes one anew that is due. */
  publishCrl: job<{ tenantId: string; caId: string }, Record<string, never>>()({
    queue: 'signing',
    attempts: 3,
    backoffMs: 100,
    forgetFailures: true,
  }),
  /** The plaintext comes back in base64. Few go together: these are as large as requests are. */
  decryptRequests: job<{ items: EncryptedRequest[] }, Outcomes<{ plaintext: string }>>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
    sealed: true,
    lanes: { ...lanes, items: 16 },
  }),
  encryptMessages: job<{ items: MessageToEncrypt[] }, Outcomes<SealedMessage>>()(messages),
  /** The plaintext comes back in base64. */
  decryptMessages: job<{ items: MessageToDecrypt[] }, Outcomes<{ plaintext: string; recipientDidUrl: string }>>()(
    messages,
  ),
  /** Compact. */
  signMessages: job<{ items: MessageToSign[] }, Outcomes<{ jws: string }>>()(messages),
  /** Of all tenants: what is due is asked of the data. */
  rotateDueKeys: job<Record<string, never>>()({
    queue: 'signing-bulk',
    attempts: 3,
    backoffMs: 1_000,
    everyMs: 3_600_000,
  }),
  /** Run by earlier versions alone, when encryption keys were all that was rotated by itself. */
  rotateEncryptionKeys: job<Record<string, never>>()({ queue: 'signing-bulk', attempts: 3, backoffMs: 1_000 }),
  /** What is wrapped under an older key-encryption key. */
  rewrapKeys: job<Record<string, never>>()({ queue: 'signing-bulk', attempts: 1, backoffMs: 0, everyMs: 60_000 }),
  /** One list is published by one job at a time: the job's id is made of the list's. */
  publishList: job<{ tenantId: string; listId: string }>()({
    queue: 'signing-bulk',
    attempts: 5,
    backoffMs: 500,
    forgetFailures: true,
    isAskedForAgain: true,
  }),
  /** Of an ecosystem that publishes by itself; the job's id is made of the configuration's. */
  publishDueTrustedList: job<{ tenantId: string; configurationId: string }>()({
    queue: 'signing-bulk',
    attempts: 3,
    backoffMs: 500,
    forgetFailures: true,
    isAskedForAgain: true,
  }),
  /** Of one authority; the job's id is made of both. */
  renewSigners: job<{ tenantId: string; caId: string; kind: SignerKind }>()({
    queue: 'signing-bulk',
    attempts: 3,
    backoffMs: 1_000,
    forgetFailures: true,
  }),
  /** That the tenant's DID and its host belong together. */
  signDomainLinkage: job<{ tenantId: string }, { credential: Record<string, unknown> }>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
  }),
  signIssuerMetadata: job<MetadataSignatureRequest, { jwt: string }>()({
    queue: 'signing',
    attempts: 2,
    backoffMs: 100,
  }),

  queueDueCertificates: job<Record<string, never>>()({
    queue: 'publishing',
    attempts: 1,
    backoffMs: 0,
    everyMs: 5_000,
  }),
  queueDueLists: job<Record<string, never>>()({ queue: 'publishing', attempts: 1, backoffMs: 0, everyMs: 1_000 }),
  /** Writes to the log which status lists end because their renewal did not come. */
  warnOfEndingLists: job<Record<string, never>>()({
    queue: 'publishing',
    attempts: 1,
    backoffMs: 0,
    everyMs: 3_600_000,
  }),
  queueDueTrustedLists: job<Record<string, never>>()({
    queue: 'publishing',
    attempts: 1,
    backoffMs: 0,
    everyMs: 10_000,
  }),

  queueDueIntegrations: job<Record<string, never>>()({
    queue: 'integrations',
    attempts: 1,
    backoffMs: 0,
    everyMs: 10_000,
  }),
  // What becomes of it is in its row; these attempts are for our own troubles.
  syncIntegration: job<IntegrationRef>()({
    queue: 'integrations',
    attempts: 3,
    backoffMs: 5_000,
    forgetFailures: true,
    isAskedForAgain: true,
  }),

  fanOut: job<{ items: SubjectRef[] }>()(fanningOut),
  /** Written by earlier versions alone, when issuances were all that webhooks were told of; rows of the outbox may be left. */
  fanOutIssuances: job<{ items: IssuanceRef[] }>()(fanningOut),
  /** Queued by earlier versions alone. */
  deliverWebhook: job<Record<string, unknown>>()({ queue: 'delivery', attempts: 1, backoffMs: 0 }),
  // What becomes of each is in its row; these attempts are for our own troubles.
  deliverWebhooks: job<{ items: DeliveryRef[] }>()({
    queue: 'delivery',
    attempts: 5,
    backoffMs: 1_000,
    batch: 64,
    forgetFailures: true,
  }),
  queueDueDeliveries: job<Record<string, never>>()({ queue: 'delivery', attempts: 1, backoffMs: 0, everyMs: 1_000 }),

  // As deliverWebhooks.
  sendMessages: job<{ items: LineRef[] }>()({
    queue: 'delivery',
    attempts: 5,
    backoffMs: 1_000,
    batch: 16,
    forgetFailures: true,
  }),
  queueDueMessages: job<Record<string, never>>()({ queue: 'delivery', attempts: 1, backoffMs: 0, everyMs: 1_000 }),

  /** Stores the events that wait in their list (waiting-events.ts). Comes by itself for those whose job was lost. */
  storeEvents: job<Record<string, never>>()({ queue: 'analytics', attempts: 5, backoffMs: 1_000, everyMs: 5_000 }),
  /** From web processes of a version before the list. */
  recordEvents: job<{ events: AnalyticsEvent[] }>()({ queue: 'analytics', attempts: 5, backoffMs: 1_000 }),

  recoverDeliveries: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 30_000 }),
  recoverIssuances: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 30_000 }),
  // What was deleted and may have millions of rows; the outbox row has the id of the tenant, webhook, application, inbox or ecosystem.
  removeTenant: job<{ tenantId: string }>()(upkeepUntilDone),
  removeWebhook: job<{ tenantId: string; webhookId: string }>()(upkeepUntilDone),
  /** Deliveries that ended when their webhook was disabled; the outbox row's id is made of webhook and generation. */
  endDeliveries: job<{ tenantId: string; webhookId: string; generation: number }>()(upkeepUntilDone),
  removeInbox: job<{ tenantId: string; inboxId: string }>()(upkeepUntilDone),
  removeEcosystem: job<{ tenantId: string; ecosystemId: string }>()(upkeepUntilDone),
  removeHolderApplication: job<{ tenantId: string; applicationId: string }>()(upkeepUntilDone),
  /** What an erased user leaves behind outside of its rows; the outbox row has the user's id. */
  finishErasure: job<{ tenantId: string; userId: string; offerIds: string[] }>()(upkeepUntilDone),
  /** One portion of a bulk request; the job comes again for the next. The outbox row has the request's id. */
  setBulkStatus: job<{ tenantId: string; bulkId: string }>()(upkeepUntilDone),
  /** DIDs that were never made, because the process that asked for it died. */
  callOffDids: job<Record<string, never>>()({ queue: 'upkeep', attempts: 1, backoffMs: 0, everyMs: 30_000 }),
  purgeExpired: job<Record<string, never>>()({ queue: 'upkeep', attempts: 3, backoffMs: 1_000, everyMs: 60_000 }),
} satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type Payload<Name extends JobName> = (typeof jobs)[Name] extends Typed<QueueName, infer P, infer _R> ? P : never
export type Result<Name extends JobName> = (typeof jobs)[Name] extends Typed<QueueName, infer _P, infer R> ? R : never

export type JobsOf<Queue extends QueueName> = {
  [Name in JobName]: (typeof jobs)[Name] extends { queue: Queue } ? Name : never
}[JobName]

/** Jobs of the signing process that take one item of each of several callers, and answer each. */
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

/** The definition of a job, for code that does not know which one it has. */
export function definitionOf(name: JobName): JobDefinition {
  return jobs[name]
}

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name)
}
