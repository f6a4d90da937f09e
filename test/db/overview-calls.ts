type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries of the overview, and of what is listed over all profiles, as `tenants-apart.test.ts` calls them. */
export function overviewCalls({
  id,
  at,
  before,
  after,
}: Record<'at' | 'before' | 'after', Date> & { id: string }): Calls {
  const used = { isActive: true, certificate: Buffer.alloc(1), notBefore: before, notAfter: after }
  const configured = { kind: 'vical', autoPublishes: true, frequency: 'Daily', failingSince: before }
  return {
    findCounts: [[['users', 'credentials', 'notValid', 'usableOffers', 'failedOffers', 'pendingDeliveries'], at]],
    findFailingIntegrations: [[9], { ecosystem_integrations: { enabled: true, failures: 1 } }],
    findConfigurationNames: [[[id]]],
    findEndedOffers: [[at, at], { issuance_outcomes: { day: at, outcome: 'failed', configurationId: '', count: 1 } }],
    findIssuedByConfiguration: [[at, at, 9], { issuance_outcomes: { day: at, outcome: 'issued', count: 1 } }],
    findNames: [[[{ id, names: null }]]],
    findIssuedDays: [[before], { issued_days: { day: at, issued: 1 } }],
    findLateLists: [[after, 9]],
    findPublicationEnds: [[at], { published_lists: { renewAt: at } }],
    findRecentOffers: [[{ from: before, at, limit: 9 }]],
    findOldestWork: [[['issuance', 'statusChange', 'delivery', 'message', 'bulk', 'integration']]],
    matchBulkIssuances: [[id]],
    matchCertificates: [[id]],
    matchClaimLinks: [[id, 9], { bulk_issuances: { mode: 'links' }, bulk_rows: { externalId: id } }],
    matchClients: [[id]],
    matchConfigurations: [[id]],
    matchCredentials: [[id]],
    matchEcosystems: [[id]],
    matchOffers: [[id, 9]],
    matchParticipants: [[id, 9]],
    matchRequests: [[id]],
    matchTrustedIssuers: [[id]],
    matchUsers: [[id, 9]],
    matchWebhooks: [[id]],
    findRunningWork: [[], { status_bulks: { state: 'running' } }],
    findTroubledPublications: [[{ at, endsBy: after, limit: 9 }], { trusted_list_configurations: configured }],
    findTroubledWebhooks: [[after, 9]],
    findUsedCertificates: [[['iaca'], 9], { certificates: used }],
    listAllConfigurations: [[{ limit: 10 }]],
    listStatusLists: [[{ limit: 10 }]],
  }
}
