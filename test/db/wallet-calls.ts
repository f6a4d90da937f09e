import { plusMs } from '../../shared/clock.ts'
import { accessCalls } from './access-calls.ts'
import { bulkCalls } from './bulk-calls.ts'

type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries about wallets, their requests, their credentials and bulk issuances, as `tenants-apart.test.ts` calls them. */
export function walletCalls({ id, at, after }: { id: string; at: Date; after: Date }): Calls {
  const failure = { requestId: id, check: 'nonce', reason: 'r', failedAt: at }
  return {
    ...bulkCalls({ id, at, after }),
    ...accessCalls(id),
    assignLink: [[{ id, offerId: id, userId: id }, at], { claim_links: { state: 'opened', expiresAt: after } }],
    collectClaimLink: [[{ id, offerId: id }, at], { claim_links: { state: 'opened' } }],
    countClaimLinks: [[id, at], { claim_links: { state: 'revoked', row: 1 } }],
    countWrongCodeOfLink: [[id, at], { claim_links: { wrongCodes: 8, state: 'opened' } }],
    deleteAuthorizationServer: [[id]],
    findAuthorizationServer: [[id]],
    findAuthorizationServers: [[]],
    listAuthorizationServers: [[10]],
    updateAuthorizationServer: [[id, { audience: 'https://changed.example' }]],
    endOffer: [[id], { offers: { state: 'usable' } }],
    findBulkWithLinks: [
      [id, at],
      {
        bulk_issuances: { mode: 'links', configurationIds: [id], expiresAt: null },
        claim_links: { state: 'open', expiresAt: after },
      },
    ],
    findClaimLink: [[id]],
    findClaimLinkOfRow: [[id, 0]],
    findClaimLinksOfRows: [[id, [0]]],
    findNextExpired: [[id, { after: -1, limit: 10 }, after], { claim_links: { state: 'open' } }],
    holdConfigurationsOfBulk: [[id], { bulk_issuances: { configurationIds: ['another'] } }],
    findLinksOfRows: [[id, [0], at]],
    listLinkResults: [[id, { after: -1, limit: 10, maxBytes: 1, withContent: true }]],
    listClaimLinks: [[id, { limit: 10, after: -1 }, at]],
    openLink: [
      [
        { id, generation: 0, offerId: id },
        { offerId: 'new', userId: id, at },
      ],
      { claim_links: { state: 'open' } },
    ],
    revokeClaimLinks: [[id, { limit: 10 }, at], { claim_links: { state: 'open' }, offers: { state: 'spent' } }],
    deleteSharedOffer: [[id, at]],
    deleteView: [[id, at]],
    deleteWalletProvider: [[id]],
    findConfiguration: [[id]],
    findConfigurationTypes: [[]],
    findCredential: [[id]],
    findListedOffer: [[id, at]],
    findOfferFailures: [[[id]], { offer_failures: { failedState: 'usable' } }],
    findIdsByScope: [[[id]]],
    findOAuthClient: [[id]],
    findOAuthClientByClientId: [[id]],
    findPushedRequest: [[id]],
    findRevocable: [[[id]]],
    findSignInOffer: [[id], { offers: { needsSignIn: true } }],
    findUsesBefore: [[[id]]],
    findAllViews: [[]],
    findView: [[id]],
    listViews: [[10]],
    updateView: [[id, { name: 'changed' }]],
    spendOfferByCode: [
      [id, { codeHash: id, viewId: id, sessionId: 's' }, at],
      { offers: { transactionCodeMac: null } },
    ],
    isGoneView: [[id]],
    isGoneHost: [[id], { gone_views: { host: id } }],
    findViewsWithHosts: [[], { views: { host: id } }],
    countViewUses: [[id, at]],
    findViewOfProfile: [[['haip']], { views: { profile: 'haip' } }],
    findWalletProvider: [[id]],
    findWalletProviderRoots: [[]],
    isDpopPossessionRequired: [[], { oauth_clients: { attestation: { dpopRequired: true } } }],
    hasAttestedWallet: [[], { oauth_clients: { attestation: { rootCertificates: ['PEM'] } } }],
    isShared: [[id]],
    extendPushedRequest: [[id, plusMs(after, 1)]],
    listCredentials: [[{ limit: 10, profile: 'compact' }, at]],
    listOAuthClients: [[10]],
    listOffers: [[{ limit: 10, configurationId: id }, at]],
    listUsersByLabel: [[id, 10], { users: { label: id } }],
    listWalletProviders: [[10]],
    recordOfferFailure: [[id, failure, ['usable'], at], { offers: { state: 'usable' } }],
    openPushedRequest: [[id, { authorizationId: id, openUntil: at, expiresAt: after }]],
    spendSignInOffer: [
      [id, { sessionId: id, userId: id, hookClaims: null }],
      { offers: { state: 'usable', needsSignIn: true } },
    ],
    spendPushedRequest: [[id, id]],
    takeCredentials: [[id, 0]],
  }
}
