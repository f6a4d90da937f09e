import { dayMs, hourMs } from '../../shared/clock.ts'
import { certificates } from '../tables/certificates/certificates.ts'
import { crls, revokedCertificates } from '../tables/certificates/crls.ts'
import { trustedIssuers } from '../tables/certificates/trusted-issuers.ts'
import { consoleLinks } from '../tables/console/links.ts'
import { consoleProgramCodes } from '../tables/console/program-codes.ts'
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
import { keyComparisons } from '../tables/identifiers/key-comparisons.ts'
import { keys } from '../tables/identifiers/keys.ts'
import { accessCertificates } from '../tables/issuance/access-certificates.ts'
import { authorizations } from '../tables/issuance/authorizations.ts'
import { configurations } from '../tables/issuance/configurations.ts'
import { credentials } from '../tables/issuance/credentials.ts'
import { holderApplications } from '../tables/issuance/holder-applications.ts'
import { holderInstances } from '../tables/issuance/holder-instances.ts'
import { issuances } from '../tables/issuance/issuances.ts'
import { notifications } from '../tables/issuance/notifications.ts'
import { offerFailures } from '../tables/issuance/offer-failures.ts'
import { offers } from '../tables/issuance/offers.ts'
import { pushedRequests } from '../tables/issuance/pushed-requests.ts'
import { refreshTokens } from '../tables/issuance/refresh-tokens.ts'
import { registrationCertificates } from '../tables/issuance/registration-certificates.ts'
import { sdJwtTypes } from '../tables/issuance/sd-jwt-types.ts'
import { sessionClaims } from '../tables/issuance/session-claims.ts'
import { sessions } from '../tables/issuance/sessions.ts'
import { sharedOfferConfigurations, sharedOffers } from '../tables/issuance/shared-offers.ts'
import { spentProofs } from '../tables/issuance/spent-proofs.ts'
import { userClaimTerms } from '../tables/issuance/user-claim-terms.ts'
import { users } from '../tables/issuance/users.ts'
import { goneViews, views } from '../tables/issuance/views.ts'
import { walletProviders } from '../tables/issuance/wallet-providers.ts'
import { oauthClients } from '../tables/issuance/wallets.ts'
import { inboxDids } from '../tables/messaging/inbox-dids.ts'
import { inboxMessages } from '../tables/messaging/inbox-messages.ts'
import { inboxes } from '../tables/messaging/inboxes.ts'
import { outgoingLines } from '../tables/messaging/outgoing-lines.ts'
import { outgoingMessages } from '../tables/messaging/outgoing-messages.ts'
import { approvals } from '../tables/operations/approvals.ts'
import { auditCheckpoints, auditSubtrees } from '../tables/operations/audit-checkpoints.ts'
import { auditEvents } from '../tables/operations/audit-events.ts'
import { auditHeads } from '../tables/operations/audit-heads.ts'
import { auditObjects } from '../tables/operations/audit-objects.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { erasures } from '../tables/operations/erasures.ts'
import { events } from '../tables/operations/events.ts'
import { idempotencyKeys } from '../tables/operations/idempotency-keys.ts'
import { issuanceOutcomes } from '../tables/operations/issuance-outcomes.ts'
import { issuedDays } from '../tables/operations/issued-days.ts'
import { listenerRequests } from '../tables/operations/listener-requests.ts'
import { managedObjects } from '../tables/operations/managed-objects.ts'
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
import { logos } from '../tables/tenancy/logos.ts'
import { tenantHosts } from '../tables/tenancy/tenant-hosts.ts'
import { tenants } from '../tables/tenancy/tenants.ts'
import { verifierApplications } from '../tables/verifier/applications.ts'
import { verifierTemplates } from '../tables/verifier/templates.ts'
import { verifierWalletProviders } from '../tables/verifier/wallet-providers.ts'
import { bulkRules } from './bulk-rules.ts'
import type { RetentionRule } from './retention-rule.ts'
import { signInRules } from './sign-in-rules.ts'

/**
 * Defines the retention of all tables. Erasure (erasure.ts), removal of tenants and webhooks (removal.ts) and purges
 * (purge-aged.ts) use it. `test/db/retention-table.test.ts` compares it with the schema.
 */
export const retentionRules: readonly RetentionRule[] = [
  { table: tenants, exception: 'a tenant is removed last' },
  { table: tenantHosts, tenant: tenantHosts.tenantId },
  { table: auditHeads, tenant: auditHeads.tenantId },
  // A chain without its first rows cannot be verified.
  { table: auditEvents, tenant: auditEvents.tenantId },
  { table: auditObjects, tenant: auditObjects.tenantId },
  { table: auditCheckpoints, tenant: auditCheckpoints.tenantId },
  { table: auditSubtrees, tenant: auditSubtrees.tenantId },
  { table: erasures, tenant: erasures.tenantId },
  { table: consoleProviders, tenant: consoleProviders.tenantId },
  { table: consoleSignIns, tenant: consoleSignIns.tenantId, ages: { by: consoleSignIns.expiresAt, afterMs: 0 } },
  // Sessions of a deleted client or of changed provider settings are invalid and are purged at their expiry.
  { table: consoleSessions, tenant: consoleSessions.tenantId, ages: { by: consoleSessions.expiresAt, afterMs: 0 } },
  { table: consoleLinks, tenant: consoleLinks.tenantId, ages: { by: consoleLinks.expiresAt, afterMs: 0 } },
  {
    table: consoleProgramCodes,
    tenant: consoleProgramCodes.tenantId,
    ages: { by: consoleProgramCodes.expiresAt, afterMs: 0 },
  },
  { table: clients, tenant: clients.tenantId },
  // Unpublished keys stay, because old signatures name them.
  { table: keys, tenant: keys.tenantId },
  ...[dids, certificates, crls].map((table) => ({ table, tenant: table.tenantId })),
  // Entries of deleted signers stay, because credentials that they signed are still in use.
  { table: revokedCertificates, tenant: revokedCertificates.tenantId },
  ...signInRules,
  // Wallets with a credential of the view learn for a year that it is gone.
  { table: goneViews, tenant: goneViews.tenantId, ages: { by: goneViews.goneAt, afterMs: 365 * dayMs } },
  ...[oauthClients, walletProviders, views, accessCertificates, contexts, logos].map((table) => ({
    table,
    tenant: table.tenantId,
  })),
  ...[configurations, sdJwtTypes, sharedOffers].map((table) => ({ table, tenant: table.tenantId })),
  { table: sharedOfferConfigurations, tenant: sharedOfferConfigurations.tenantId },
  ...[webhooks, trustedIssuers, presentationTemplates].map((table) => ({ table, tenant: table.tenantId })),
  { table: verifierTemplates, tenant: verifierTemplates.tenantId },
  { table: verifierApplications, tenant: verifierApplications.tenantId },
  { table: verifierWalletProviders, tenant: verifierWalletProviders.tenantId },
  { table: holderApplications, tenant: holderApplications.tenantId },
  // Instances have no data that identify a person.
  {
    table: holderInstances,
    tenant: holderInstances.tenantId,
    with: { owner: holderApplications, by: holderInstances.applicationId },
  },

  // Tables of an ecosystem precede it. The removal of a tenant therefore removes their rows in batches, and not all at
  // once with the ecosystem.
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
  // Old lists are removed by the retention of the configuration (trusted-list-retention.ts).
  {
    table: trustedLists,
    tenant: trustedLists.tenantId,
    with: { owner: ecosystems, by: trustedLists.ecosystemId },
    weight: 100,
  },
  // Evidence stays until it is removed or its upload expires. Its row is deleted before its chunks, so that no chunk is
  // added afterwards. Evidence that gets a chunk at that moment stays until its upload expires.
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
  {
    table: idempotencyKeys,
    tenant: idempotencyKeys.tenantId,
    user: idempotencyKeys.userId,
    ages: { by: idempotencyKeys.expiresAt, afterMs: 0 },
  },
  // Long enough to look up who decided. The audit names both without an end.
  { table: approvals, tenant: approvals.tenantId, ages: { by: approvals.expiresAt, afterMs: 90 * dayMs } },
  { table: managedObjects, tenant: managedObjects.tenantId },
  { table: userClaimTerms, tenant: userClaimTerms.tenantId, user: userClaimTerms.userId },
  // One day after the offer expires. Until then a request for it gets 410 instead of 404.
  { table: offers, tenant: offers.tenantId, user: offers.userId, ages: { by: offers.expiresAt, afterMs: dayMs } },
  {
    table: offerFailures,
    tenant: offerFailures.tenantId,
    user: offerFailures.userId,
    ages: { by: offerFailures.expiresAt, afterMs: dayMs },
  },
  // One hour after the expiry of the rights from the code. Until then a second use of the code is detected.
  {
    table: authorizations,
    tenant: authorizations.tenantId,
    user: authorizations.userId,
    ages: { by: authorizations.expiresAt, afterMs: hourMs },
  },
  {
    table: pushedRequests,
    ages: { by: pushedRequests.expiresAt, afterMs: 0 },
    exception: 'they expire within a day, also after the removal of their tenant',
  },
  {
    table: refreshTokens,
    tenant: refreshTokens.tenantId,
    user: refreshTokens.userId,
    ages: { by: refreshTokens.expiresAt, afterMs: 0 },
  },
  // One hour after the token expires. Until then a late wallet gets `invalid_token`.
  {
    table: sessions,
    tenant: sessions.tenantId,
    user: sessions.userId,
    ages: { by: sessions.expiresAt, afterMs: hourMs },
  },
  { table: sessionClaims, tenant: sessionClaims.tenantId, with: { owner: sessions, by: sessionClaims.sessionId } },
  { table: spentProofs, tenant: spentProofs.tenantId, ages: { by: spentProofs.expiresAt, afterMs: 0 } },
  // The content of an issuance is removed earlier: see `contentRetentionMs`.
  {
    table: issuances,
    tenant: issuances.tenantId,
    user: issuances.userId,
    ages: { by: issuances.requestedAt, afterMs: 30 * dayMs },
  },
  { table: notifications, tenant: notifications.tenantId, with: { owner: issuances, by: notifications.issuanceId } },
  ...bulkRules,
  // The metadata of a credential stay as long as its user.
  { table: credentials, tenant: credentials.tenantId, user: credentials.userId },
  // A cancelled credential is stored until no job can sign it any more.
  {
    table: signedCredentials,
    tenant: signedCredentials.tenantId,
    ages: { by: signedCredentials.cancelledAt, afterMs: hourMs },
  },
  { table: storedCredentials, tenant: storedCredentials.tenantId, user: storedCredentials.userId },
  {
    table: storedCredentialTypes,
    tenant: storedCredentialTypes.tenantId,
    with: { owner: storedCredentials, by: storedCredentialTypes.credentialId },
  },
  { table: statusLists, tenant: statusLists.tenantId },
  { table: statusListConfigurations, tenant: statusListConfigurations.tenantId },
  { table: registrationCertificates, tenant: registrationCertificates.tenantId, exception: 'it is replaced' },
  { table: publishedLists, tenant: publishedLists.tenantId, exception: 'a list stays until its next version' },
  // The entries of an erased user stay without the id of the credential, because the list must continue to show it as
  // invalid.
  { table: statusEntries, tenant: statusEntries.tenantId },
  { table: statusChanges, tenant: statusChanges.tenantId },
  { table: statusBulks, tenant: statusBulks.tenantId, ages: { by: statusBulks.createdAt, afterMs: 30 * dayMs } },
  { table: inboxes, tenant: inboxes.tenantId },
  { table: inboxDids, tenant: inboxDids.tenantId, with: { owner: inboxes, by: inboxDids.inboxId } },
  // Encrypted messages do not reveal the person that they are about.
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
  // Deliveries have no personal data. Deliveries about an erased user end and lose the stored responses (erasure.ts).
  {
    table: deliveries,
    tenant: deliveries.tenantId,
    with: { owner: webhooks, by: deliveries.webhookId },
    ages: { by: deliveries.createdAt, afterMs: 30 * dayMs },
  },
  // Events of an offer for one user are erased with the user (timeline.ts).
  { table: events, tenant: events.tenantId, ages: { by: events.timestamp, afterMs: 90 * dayMs } },
  // A worker deletes its rows. Those of a worker that ended are purged.
  {
    table: listenerRequests,
    tenant: listenerRequests.tenantId,
    ages: { by: listenerRequests.createdAt, afterMs: hourMs },
  },
  // Counts without personal data, for more than a year.
  { table: issuedDays, tenant: issuedDays.tenantId, ages: { by: issuedDays.day, afterMs: 400 * dayMs } },
  {
    table: issuanceOutcomes,
    tenant: issuanceOutcomes.tenantId,
    ages: { by: issuanceOutcomes.day, afterMs: 400 * dayMs },
  },
  { table: outbox, exception: 'a row is removed when its job is queued or done' },
  { table: keyComparisons, exception: 'one row for each provider' },
  { table: walks, exception: 'one row for each walk of upkeep' },
]

/** The time that signed credentials stay in their issuances, for replays of webhooks. */
export const contentRetentionMs = 7 * dayMs
