import { Counter, Histogram } from 'prom-client'
import { type CredentialProfile, profiles } from '../shared/domain/issuance/profiles.ts'
import { beginStatusChanges } from '../shared/metrics/status-changes.ts'

/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const jobDuration = new Histogram({
  name: 'trustwright_job_duration_seconds',
  help: 'How long jobs ran in this process, per queue, job and outcome: done, failed, or postponed.',
  labelNames: ['queue', 'job', 'outcome'] as const,
  buckets,
})

export type JobOutcome = 'done' | 'failed' | 'postponed'

/** A publication that another one came before is `late`, and one that had nothing to show `unneeded`. */
export type PublicationOutcome = 'published' | 'late' | 'unneeded' | 'failed'

export const publicationDuration = new Histogram({
  name: 'trustwright_status_publication_duration_seconds',
  help: 'How long publications of status lists by this process took: published, failed, late where another one came before, or unneeded.',
  labelNames: ['outcome'] as const,
  buckets,
})

export const credentialsIssued = new Counter({
  name: 'trustwright_credentials_issued_total',
  help: 'Credentials that this process signed and committed, each copy of a batch counted: for a wallet, or directly for an operator.',
  labelNames: ['profile', 'asked_by'] as const,
})

export const issuancesRefused = new Counter({
  name: 'trustwright_issuances_refused_total',
  help: 'Issuances that this process refused for good: their claims cannot be said, or nobody can sign them.',
  labelNames: ['profile'] as const,
})

/** `refused` was answered, with another status than 2xx. */
export type AttemptOutcome = 'delivered' | 'refused' | 'unanswered'

export const webhookAttempts = new Histogram({
  name: 'trustwright_webhook_attempt_duration_seconds',
  help: 'How long attempts of this process at webhook deliveries took: delivered, refused by another status than 2xx, or unanswered.',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})

export const webhookDeliveries = new Counter({
  name: 'trustwright_webhook_deliveries_total',
  help: 'Webhook deliveries that ended in this process: delivered, or failed after the last attempt.',
  labelNames: ['outcome'] as const,
})

export const messageAttempts = new Counter({
  name: 'trustwright_message_attempts_total',
  help: 'Attempts of this process at messages to other services: delivered, refused by another status than 2xx, or unanswered.',
  labelNames: ['outcome'] as const,
})

export const messagesEnded = new Counter({
  name: 'trustwright_messages_total',
  help: 'Messages to other services that ended in this process: delivered, or failed after the last attempt.',
  labelNames: ['outcome'] as const,
})

export const outboxRelayed = new Counter({
  name: 'trustwright_outbox_relayed_total',
  help: 'Rows of the outbox that this process moved to their queues, by job.',
  labelNames: ['job'] as const,
})

export function outcomeOf(status: number | undefined, isDelivered: boolean): AttemptOutcome {
  if (isDelivered) return 'delivered'
  return status === undefined ? 'unanswered' : 'refused'
}

/** A counter that begins with its first event hides that event from `rate`: whoever has a duty begins with nothing. */
export function beginAtZero(duties: readonly string[]): void {
  if (duties.includes('signing')) {
    for (const profile of Object.keys(profiles) as CredentialProfile[]) {
      credentialsIssued.inc({ profile, asked_by: 'wallet' }, 0)
      credentialsIssued.inc({ profile, asked_by: 'operator' }, 0)
      issuancesRefused.inc({ profile }, 0)
    }
  }
  if (duties.includes('delivery')) {
    for (const outcome of ['delivered', 'refused', 'unanswered']) {
      webhookAttempts.zero({ outcome })
      messageAttempts.inc({ outcome }, 0)
    }
    for (const outcome of ['delivered', 'failed']) {
      webhookDeliveries.inc({ outcome }, 0)
      messagesEnded.inc({ outcome }, 0)
    }
  }
  if (duties.includes('upkeep')) beginStatusChanges()
}
