import { Counter, Histogram } from 'prom-client'
import { type CredentialProfile, profiles } from '../../shared/domain/issuance/profiles.ts'
import { beginLostEvents } from '../../shared/metrics/lost-events.ts'
import { beginStatusChanges } from '../../shared/metrics/status-changes.ts'
import type { WorkerRole } from '../worker-roles.ts'

/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const jobDuration = new Histogram({
  name: 'trustwright_job_duration_seconds',
  help: 'Duration of jobs in this process, by queue, job and outcome: done, failed or postponed.',
  labelNames: ['queue', 'job', 'outcome'] as const,
  buckets,
})

export type JobOutcome = 'done' | 'failed' | 'postponed'

/** `late`: another process published the list first. `unneeded`: the list had no changes. */
export type PublicationOutcome = 'published' | 'late' | 'unneeded' | 'failed'

export const publicationDuration = new Histogram({
  name: 'trustwright_status_publication_duration_seconds',
  help: 'Duration of publications of status lists by this process, by outcome: published, failed, late (another process published first) or unneeded.',
  labelNames: ['outcome'] as const,
  buckets,
})

export const credentialsIssued = new Counter({
  name: 'trustwright_credentials_issued_total',
  help: 'Credentials that this process signed and committed, by profile and requester: a wallet or an operator. Each copy of a batch counts.',
  labelNames: ['profile', 'asked_by'] as const,
})

export const issuancesRefused = new Counter({
  name: 'trustwright_issuances_refused_total',
  help: 'Issuances that this process refused permanently: the format cannot express the claims, or no signer exists.',
  labelNames: ['profile'] as const,
})

export const tenantCredentials = new Counter({
  name: 'trustwright_tenant_credentials_total',
  help: 'Credentials of this process by tenant, profile and outcome: issued or refused. The label of tenants above METRICS_TENANTS is other.',
  labelNames: ['tenant', 'profile', 'outcome'] as const,
})

/** `refused`: the receiver answered with another status than 2xx. */
export type AttemptOutcome = 'delivered' | 'refused' | 'unanswered'

export const webhookAttempts = new Histogram({
  name: 'trustwright_webhook_attempt_duration_seconds',
  help: 'Duration of webhook delivery attempts of this process, by outcome: delivered, refused (another status than 2xx) or unanswered.',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

export const webhookDeliveries = new Counter({
  name: 'trustwright_webhook_deliveries_total',
  help: 'Webhook deliveries that ended in this process, by outcome: delivered, or failed after the last attempt.',
  labelNames: ['outcome'] as const,
})

export const messageAttempts = new Counter({
  name: 'trustwright_message_attempts_total',
  help: 'Attempts of this process to send messages to other services, by outcome: delivered, refused (another status than 2xx) or unanswered.',
  labelNames: ['outcome'] as const,
})

export const messagesEnded = new Counter({
  name: 'trustwright_messages_total',
  help: 'Messages to other services that ended in this process, by outcome: delivered, or failed after the last attempt.',
  labelNames: ['outcome'] as const,
})

export const outboxRelayed = new Counter({
  name: 'trustwright_outbox_relayed_total',
  help: 'Outbox rows that this process moved to their queues, by job.',
  labelNames: ['job'] as const,
})

export function outcomeOf(status: number | undefined, isDelivered: boolean): AttemptOutcome {
  if (isDelivered) return 'delivered'
  return status === undefined ? 'unanswered' : 'refused'
}

/** Sets the counters of the roles to zero. A counter that starts with its first event hides this event from `rate`. */
export function initializeCounters(roles: readonly WorkerRole[]): void {
  if (roles.includes('signing')) {
    for (const profile of Object.keys(profiles) as CredentialProfile[]) {
      credentialsIssued.inc({ profile, asked_by: 'wallet' }, 0)
      credentialsIssued.inc({ profile, asked_by: 'operator' }, 0)
      issuancesRefused.inc({ profile }, 0)
    }
  }
  if (roles.includes('delivery')) {
    for (const outcome of ['delivered', 'refused', 'unanswered']) {
      webhookAttempts.zero({ outcome })
      messageAttempts.inc({ outcome }, 0)
    }
    for (const outcome of ['delivered', 'failed']) {
      webhookDeliveries.inc({ outcome }, 0)
      messagesEnded.inc({ outcome }, 0)
    }
  }
  if (roles.includes('upkeep')) beginStatusChanges()
  if (roles.includes('analytics')) beginLostEvents(['invalid'])
}
