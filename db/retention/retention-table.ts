import { getTableColumns } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { dayMs, hourMs } from '../../shared/clock.ts'
import { certificates } from '../tables/certificates/certificates.ts'
import { crls, revokedCertificates } from '../tables/certificates/crls.ts'
import { trustedIssuers } from '../tables/certificates/trusted-issuers.ts'
import { consoleLinks } from '../tables/console/links.ts'
import { consoleProviders } from '../tables/console/providers.ts'
import { consoleSessions } from '../tables/console/sessions.ts'
import { consoleSignIns } from '../tables/console/sign-ins.ts'
import { contexts } from '../tables/credentials/contexts.ts'
import { presentationTemplates } from '../tables/credentials/presentation-templates.ts'
import { signedCredentials } from '../tables/credentials/signed-credentials.ts'
import { storedCredentials, storedCredentialTypes } from '../tables/credentials/stored-credentials.ts'
import { ecosystemCredentialTypes } from '../tables/ecosystems/credential-types.ts'
import { ecosystems } from '../tables/ecosystems/ecosystems.ts'
import { evidenceChunks, participantEvidence } from '../tables/ecosystems/evidence.ts'
import { ecosystemIntegrations, integratedCertificates } from '../tables/ecosystems/integrations.ts'
import { participantCertificates } from '../tables/ecosystems/participant-certificates.ts'
import { participantCredentialTypes, participantIdentifiers, participants } from '../tables/ecosystems/participants.ts'
import { ecosystemPolicies } from '../tables/ecosystems/policies.ts'
import { trustedListConfigurations, trustedLists } from '../tables/ecosystems/trusted-lists.ts'
import { dids } from '../tables/identifiers/dids.ts'
import { keys } from '../tables/identifiers/keys.ts'
import { authorizations } from '../tables/issuance/authorizations.ts'
import { claimSources } from '../tables/issuance/claim-sources.ts'
import { configurations } from '../tables/issuance/configurations.ts'
import { credentials } from '../tables/issuance/credentials.ts'
import { holderApplications } from '../tables/issuance/holder-applications.ts'
import { holderInstances } from '../tables/issuance/holder-instances.ts'
import { interactionHooks } from '../tables/issuance/interaction-hooks.ts'
import { issuances } from '../tables/issuance/issuances.ts'
import { notifications } from '../tables/issuance/notifications.ts'
import { offers } from '../tables/issuance/offers.ts'
import { pushedRequests } from '../tables/issuance/pushed-requests.ts'
import { refreshTokens } from '../tables/issuance/refresh-tokens.ts'
import { sessionClaims } from '../tables/issuance/session-claims.ts'
import { sessions } from '../tables/issuance/sessions.ts'
import { sharedOfferConfigurations, sharedOffers } from '../tables/issuance/shared-offers.ts'
import { authenticationProviders } from '../tables/issuance/sign-in-providers.ts'
import { spentProofs } from '../tables/issuance/spent-proofs.ts'
import { userClaimTerms } from '../tables/issuance/user-claim-terms.ts'
import { users } from '../tables/issuance/users.ts'
import { walletProviders } from '../tables/issuance/wallet-providers.ts'
import { oauthClients } from '../tables/issuance/wallets.ts'
import { inboxDids } from '../tables/messaging/inbox-dids.ts'
import { inboxMessages } from '../tables/messaging/inbox-messages.ts'
import { inboxes } from '../tables/messaging/inboxes.ts'
import { outgoingLines } from '../tables/messaging/outgoing-lines.ts'
import { outgoingMessages } from '../tables/messaging/outgoing-messages.ts'
import { auditEvents } from '../tables/operations/audit-events.ts'
import { auditHeads } from '../tables/operations/audit-heads.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { events } from '../tables/operations/events.ts'
import { issuedDays } from '../tables/operations/issued-days.ts'
import { walks } from '../tables/operations/walks.ts'
import { webhooks } from '../tables/operations/webhooks.ts'
import { outbox } from '../tables/outbox.ts'
import { statusBulks } from '../tables/status/bulks.ts'
import { statusChanges } from '../tables/status/changes.ts'
import { statusEntries } from '../tables/status/entries.ts'
import { statusListConfigurations } from '../tables/status/list-configurations.ts'
import { statusLists } from '../tables/status/lists.ts'
import { publishedLists } from '../tables/status/published-lists.ts'
import { clients } from '../tables/tenancy/clients.ts'
import { tenantHosts } from '../tables/tenancy/tenant-hosts.ts'
import { tenants } from '../tables/tenancy/tenants.ts'

/** How long the rows of a table are kept, and with whom they go. Every way to a row here is an index. */
export interface RetentionRule {
  table: PgTable
  /** Rows of a tenant, which go with it. */
  tenant?: PgColumn
  /** Rows of a person, erased with that person. */
  user?: PgColumn
  /** Rows that hang on one of another table, whose id `by` holds, and go with it. */
  with?: { owner: PgTable; by: PgColumn }
  /** Rows go when `by` is so long ago. */
  ages?: { by: PgColumn; afterMs: number }
  /** Rows are large: one of them is as much work as so many others. */
  weight?: number
  /** Why a table has less of this than its columns promise. */
  because?: string
}

/**
 * The one place that says which rows go when: erasure (erasure.ts), removal of tenants and webhooks (removal.ts)
 * and purges (purge-aged.ts) read it, and `test/db/retention.test.ts` holds it against the schema.
 */
export const retentionRules: readonly RetentionRule[] = [
  { table: tenants, because: 'a tenant goes last' },
  { table: tenantHosts, tenant: tenantHosts.tenantId },
  { table: auditHeads, tenant: auditHeads.tenantId },
  // A chain without its beginning could not be checked.
  { table: auditEvents, tenant: auditEvents.tenantId },
  { table: consoleProviders, tenant: consoleProviders.tenantId },
  { table: consoleSignIns, tenant: consoleSignIns.tenantId, ages: { by: consoleSignIns.expiresAt, afterMs: 0 } },
  // Those of a client, or of a provider's settings, that is gone are good for nothing, and go at their end.
  {
    table: consoleSessions,
    tenant: consoleSessions.tenantId,
    ages: { by: consoleSessions.expiresAt, afterMs: 0 },
  },
  { table: consoleLinks, tenant: consoleLinks.tenantId, ages: { by: consoleLinks.expiresAt, afterMs: 0 } },
  { table: clients, tenant: clients.tenantId },
  // Those that are not published any more are kept: old signatures name them.
  { table: keys, tenant: keys.tenantId },
  { table: dids, tenant: dids.tenantId },
  { table: certificates, tenant: certificates.tenantId },
  { table: crls, tenant: crls.tenantId },
  // Those of signers that are gone stay: what they signed is about.
  { table: revokedCertificates, tenant: revokedCertificates.tenantId },
  { table: authenticationProviders, tenant: authenticationProviders.tenantId },
  { table: claimSources, tenant: claimSources.tenantId },
  { table: interactionHooks, tenant: interactionHooks.tenantId },
  { table: oauthClients, tenant: oauthClients.tenantId },
  { table: walletProviders, tenant: walletProviders.tenantId },
  { table: contexts, tenant: contexts.tenantId },
  { table: configurations, tenant: configurations.tenantId },
  { table: sharedOffers, tenant: sharedOffers.tenantId },
  { table: sharedOfferConfigurations, tenant: sharedOfferConfigurations.tenantId },
  { table: webhooks, tenant: webhooks.tenantId },
  { table: trustedIssuers, tenant: trustedIssuers.tenantId },
  { table: presentationTemplates, tenant: presentationTemplates.tenantId },
  { table: holderApplications, tenant: holderApplications.tenantId },
  // They name nobody that is known here.
  {
    table: holderInstances,
    tenant: holderInstances.tenantId,
    with: { owner: holderApplications, by: holderInstances.applicationId },
  },

  // What is in an ecosystem comes before it: when a tenant is removed it goes in batches, and not with its owner at once.
  ...[
    integratedCertificates,
    ecosystemIntegrations,
    participantIdentifiers,
    participantCredentialTypes,
    participantCertificates,
    participants,
    ecosystemCredentialTypes,
    ecosystemPolicies,
    trustedListConfigurations,
  ].map((table) => ({ table, tenant: table.tenantId, with: { owner: ecosystems, by: table.ecosystemId } })),
  // Old lists are removed by the configuration's retention (trusted-list-purge-aged.ts).
  {
    table: trustedLists,
    tenant: trustedLists.tenantId,
    with: { owner: ecosystems, by: trustedLists.ecosystemId },
    weight: 100,
  },
  // Evidence is there until it is removed, or its upload was given up. It goes before its chunks: none is added after that. What gets
  // another chunk in that very moment stays, and goes when its upload was given up.
  {
    table: participantEvidence,
    tenant: participantEvidence.tenantId,
    with: { owner: ecosystems, by: participantEvidence.ecosystemId },
    ages: { by: participantEvidence.expiresAt, afterMs: 0 },
  },
  {
    table: evidenceChunks,
    tenant: evidenceChunks.tenantId,
    with: { owner: ecosystems, by: evidenceChunks.ecosystemId },
    weight: 32,
  },
  { table: ecosystems, tenant: ecosystems.tenantId },

  { table: users, tenant: users.tenantId, user: users.id },
  { table: userClaimTerms, tenant: userClaimTerms.tenantId, user: userClaimTerms.userId },
  // After the offer ended; until then its user is told so (410) rather than that there is none.
  { table: offers, tenant: offers.tenantId, user: offers.userId, ages: { by: offers.expiresAt, afterMs: dayMs } },
  // After what they gave ended; until then a code that comes twice is known.
  {
    table: authorizations,
    tenant: authorizations.tenantId,
    user: authorizations.userId,
    ages: { by: authorizations.expiresAt, afterMs: hourMs },
  },
  {
    table: pushedRequests,
    ages: { by: pushedRequests.expiresAt, afterMs: 0 },
    because: 'they end when nobody can be signing in any more, within a day, also those of a tenant that is gone',
  },
  {
    table: refreshTokens,
    tenant: refreshTokens.tenantId,
    user: refreshTokens.userId,
    ages: { by: refreshTokens.expiresAt, afterMs: 0 },
  },
  // After the token ended; a wallet that comes late is still told `invalid_token`.
  {
    table: sessions,
    tenant: sessions.tenantId,
    user: sessions.userId,
    ages: { by: sessions.expiresAt, afterMs: hourMs },
  },
  { table: sessionClaims, tenant: sessionClaims.tenantId, with: { owner: sessions, by: sessionClaims.sessionId } },
  { table: spentProofs, tenant: spentProofs.tenantId, ages: { by: spentProofs.expiresAt, afterMs: 0 } },
  // Not all of an issuance is kept as long: see `contentKeptForMs`.
  {
    table: issuances,
    tenant: issuances.tenantId,
    user: issuances.userId,
    ages: { by: issuances.requestedAt, afterMs: 30 * dayMs },
  },
  { table: notifications, tenant: notifications.tenantId, with: { owner: issuances, by: notifications.issuanceId } },
  // What is known of a credential is kept as long as its user.
  { table: credentials, tenant: credentials.tenantId, user: credentials.userId },
  // One that was called off is remembered for longer than anything may still sign it.
  {
    table: signedCredentials,
    tenant: signedCredentials.tenantId,
    ages: { by: signedCredentials.calledOffAt, afterMs: hourMs },
  },
  { table: storedCredentials, tenant: storedCredentials.tenantId, user: storedCredentials.userId },
  {
    table: storedCredentialTypes,
    tenant: storedCredentialTypes.tenantId,
    with: { owner: storedCredentials, by: storedCredentialTypes.credentialId },
  },
  { table: statusLists, tenant: statusLists.tenantId },
  { table: statusListConfigurations, tenant: statusListConfigurations.tenantId },
  { table: publishedLists, tenant: publishedLists.tenantId, because: 'what a list says stays until it says the next' },
  // Those of an erased person stay, without the credential's id: the list says for ever that it is invalid.
  { table: statusEntries, tenant: statusEntries.tenantId },
  { table: statusChanges, tenant: statusChanges.tenantId },
  { table: statusBulks, tenant: statusBulks.tenantId, ages: { by: statusBulks.createdAt, afterMs: 30 * dayMs } },
  { table: inboxes, tenant: inboxes.tenantId },
  { table: inboxDids, tenant: inboxDids.tenantId, with: { owner: inboxes, by: inboxDids.inboxId } },
  // Nobody here can tell whom they are about: they are encrypted.
  {
    table: inboxMessages,
    tenant: inboxMessages.tenantId,
    with: { owner: inboxes, by: inboxMessages.inboxId },
    ages: { by: inboxMessages.expiresAt, afterMs: 0 },
  },
  {
    table: outgoingLines,
    tenant: outgoingLines.tenantId,
    ages: { by: outgoingLines.idleSince, afterMs: 7 * dayMs },
  },
  {
    table: outgoingMessages,
    tenant: outgoingMessages.tenantId,
    with: { owner: outgoingLines, by: outgoingMessages.lineId },
    ages: { by: outgoingMessages.endedAt, afterMs: 7 * dayMs },
  },
  // They name nobody; those of an erased person end, and forget what receivers answered (erasure.ts).
  {
    table: deliveries,
    tenant: deliveries.tenantId,
    with: { owner: webhooks, by: deliveries.webhookId },
    ages: { by: deliveries.createdAt, afterMs: 30 * dayMs },
  },
  // Those of an offer that was an erased person's go with it (timeline.ts).
  { table: events, tenant: events.tenantId, ages: { by: events.timestamp, afterMs: 90 * dayMs } },
  // Numbers, which name nobody; more than a year of them.
  { table: issuedDays, tenant: issuedDays.tenantId, ages: { by: issuedDays.day, afterMs: 400 * dayMs } },
  { table: outbox, because: 'a row goes when its job is queued or done' },
  { table: walks, because: 'one row for each walk of upkeep' },
]

/** How long signed credentials stay in their issuances, for webhooks that are replayed. */
export const contentRetentionMs = 7 * dayMs

/** After how long rows of the table go, in milliseconds. Throws for a table whose rows do not age. */
export function ageOf(table: PgTable): number {
  const ages = retentionRules.find((each) => each.table === table)?.ages
  if (!ages) throw new Error('rows of this table do not age')
  return ages.afterMs
}

/** The column by which others name a row of the table. */
export function idColumn(table: PgTable): PgColumn {
  const { id } = getTableColumns(table)
  if (!id) throw new Error('a table without id')
  return id
}

/** As how many other rows one of the table counts. */
export function tableWeight(table: PgTable): number {
  return retentionRules.find((each) => each.table === table)?.weight ?? 1
}

/** What hangs on rows of a table. */
export function hangingOn(owner: PgTable): { table: PgTable; tenant: PgColumn; by: PgColumn }[] {
  return retentionRules.flatMap(({ table, tenant, with: hanging }) =>
    hanging?.owner === owner && tenant ? [{ table, tenant, by: hanging.by }] : [],
  )
}
