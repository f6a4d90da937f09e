import type { PublicationKind } from '../../shared/domain/operations/publications.ts'

/** The public operations that serve the documents of a kind. */
export const publishedBy: Record<PublicationKind, readonly string[]> = {
  'compact-list': ['retrieveCompactRevocationList', 'retrieveCompactRevocationLists'],
  'compact-semantic-list': ['retrieveCompactSemanticRevocationList', 'retrieveCompactSemanticRevocationLists'],
  'web-semantic-list': ['retrieveWebSemanticRevocationList'],
  'mobile-list': ['retrieveMobileStatusListToken', 'retrieveMobileStatusLists'],
  'sd-jwt-list': ['retrieveSdJwtStatusListToken', 'retrieveSdJwtStatusLists'],
  iaca: ['retrievePublishedIacas'],
  'iaca-crl': ['retrieveIacaCrl'],
  'ecosystem-ca': ['retrievePublishedEcosystemCas'],
  'ecosystem-ca-crl': ['retrieveEcosystemCaCrl'],
  vical: [
    'retrieveVicals',
    'retrieveLatestVical',
    'retrieveVical',
    'retrieveVicalChanges',
    'retrieveVicalCertificates',
  ],
  rical: [
    'retrieveRicals',
    'retrieveLatestRical',
    'retrieveRical',
    'retrieveRicalChanges',
    'retrieveRicalCertificates',
  ],
}

/** Why a public operation serves nothing that can end, or nothing whose end a kind has. */
const reasons = {
  page: 'a page or file for browsers',
  signIn: 'a step of a sign-in',
  keys: 'keys, which are published until their last signature ends',
  current: 'the current settings, which the service reads for each request',
  signedNow: 'a document that the service signs for each request or a few minutes before',
  permanent: 'a version that never changes and has no end',
  offer: 'an offer, whose end is in the offer',
  state: 'the state of the process',
  entities: 'lists of trusted entities, whose ends only the metric of ending trusted lists has',
} as const

/** The public operations without a kind, with the reason. */
export const publishedWithoutEnd: Record<string, (typeof reasons)[keyof typeof reasons]> = {
  ...all(reasons.page, [
    'showConsole',
    'showConsoleScreen',
    'visitConsole',
    'retrieveConsoleAsset',
    'retrieveOfferPageScript',
    'retrieveLogo',
    'retrieveOpenApi',
    'retrieveReference',
    'listGuides',
    'retrieveGuide',
    'retrieveDecision',
    'retrieveReferenceAsset:choose.js',
    'retrieveReferenceAsset:guide.css',
    'retrieveReferenceAsset:operations.js',
    'retrieveReferenceAsset:page.css',
    'retrieveReferenceAsset:page.js',
    'retrieveReferenceAsset:part.js',
    'retrieveReferenceAsset:prefill.js',
    'retrieveReferenceAsset:swagger-ui.css',
    'retrieveReferenceAsset:swagger-ui-bundle.js',
    'visit',
  ]),
  ...all(reasons.signIn, [
    'retrieveWaysIn',
    'finishProviderSignIn',
    'authorize',
    'showSignInReview',
    'finishLogin',
    'finishInteraction',
  ]),
  ...all(reasons.keys, [
    'retrieveDidDocument',
    'retrieveJwks',
    'retrieveJwtVcIssuer',
    'retrieveWebhookKeys',
    'retrieveClientAssertionKeys',
    'retrieveAuditKeys',
  ]),
  ...all(reasons.current, [
    'retrieveAuthorizationServerMetadata',
    'retrieveOpenIdDiscovery',
    'retrieveResourceMetadata',
    'retrieveEndpointResourceMetadata',
    'retrieveStatusListAggregation',
  ]),
  ...all(reasons.signedNow, ['retrieveIssuerMetadata', 'retrieveDidConfiguration', 'retrieveLinkedDids']),
  ...all(reasons.permanent, [
    'retrieveSdJwtType',
    'retrieveAuditCheckpoint',
    'retrieveLatestIssuerPolicy',
    'retrieveIssuerPolicy',
    'retrieveLatestVerifierPolicy',
    'retrieveVerifierPolicy',
    'retrieveLatestEcosystemPolicy',
  ]),
  ...all(reasons.offer, [
    'serveOffer',
    'showOffer',
    'retrieveOfferPageState',
    'showPagePreview',
    'showClaimLink',
    'retrieveClaimLinkPageState',
  ]),
  ...all(reasons.state, ['live', 'ready']),
  ...all(reasons.entities, [
    'retrieveLotes',
    'retrieveLatestLote',
    'retrieveLote',
    'retrieveLoteChanges',
    'retrieveLoteCertificates',
  ]),
}

function all<Reason>(reason: Reason, operations: string[]): Record<string, Reason> {
  return Object.fromEntries(operations.map((operation) => [operation, reason]))
}
