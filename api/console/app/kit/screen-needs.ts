import type { Permission } from '../../../../shared/access/permissions.ts'
import { can, type Operation } from './session.ts'

/** The operations that a screen calls when it opens, by the permission with which an own role of the tenant can call them. */
type Needs = Readonly<Partial<Record<Permission, Operation>>>

interface ScreenNeeds {
  /** The screen calls all of these operations. */
  all?: Needs
  /** Each part of the screen calls one of these operations. The screen shows the parts that the roles allow. */
  one?: Needs
}

const configurations: Needs = { 'configurations:read': 'retrieveCompactConfigurations' }
const offers: Needs = { 'offers:find': 'retrieveOffers' }
/** Viewers read bulk issuances and inboxes, but neither their rows nor their messages. The screens are about rows and messages. */
const bulks: Needs = { 'bulk-issuances:find': 'retrieveBulkRows' }
const inboxes: Needs = { 'inboxes:read': 'retrieveInboxMessages' }
const users: Needs = { 'users:find': 'searchUsers' }
const erasures: Needs = { 'erasures:read': 'retrieveErasures' }
const revocations: Needs = { 'revocation:read': 'retrieveRevocationStatuses' }
const webhooks: Needs = { 'webhooks:read': 'retrieveWebhooks' }
const ecosystems: Needs = { 'ecosystems:read': 'retrieveEcosystems' }
const ecosystemCertificates: ScreenNeeds = { all: { 'ecosystem-certificates:read': 'retrieveEcosystemCas' } }

/** The screens of a tenant whose requests not each role can send, by path. */
const needsByPath = {
  '/offers': { all: offers },
  '/offers/new': { all: { 'offers:write': 'createPreAuthorizedOffer', ...offers, ...configurations } },
  '/offers/:id': { all: offers },
  '/bulk': { all: bulks },
  '/bulk/person': { all: { 'bulk-issuances:write': 'createClaimLink', ...configurations } },
  '/bulk/new': { all: { 'bulk-issuances:write': 'createBulkIssuance', ...bulks, ...configurations } },
  '/bulk/:id': { all: bulks },
  '/users': { all: users },
  '/users/erasures': { all: erasures },
  '/users/erasures/:id': { all: erasures },
  '/users/:id': { all: users },
  '/credentials': { all: { 'credentials:read': 'retrieveIssuedCredentials' } },
  '/credentials/sign': { all: { 'credentials:write': 'signCompact', ...configurations } },
  '/credentials/revocations': {
    all: { 'revocation:write': 'setRevocationStatuses', ...revocations, ...configurations },
  },
  '/credentials/revocations/:id': { all: revocations },
  '/configurations': { all: configurations },
  '/configurations/new': { all: { 'configurations:write': 'createCompactConfiguration', ...configurations } },
  '/configurations/:profile/:id': { all: configurations },
  '/status-lists': { one: { 'revocation:read': 'retrieveStatusLists', ...configurations } },
  '/wallet': { all: { 'oauth-clients:read': 'retrieveOAuthClients', 'oauth-clients:write': 'createOAuthClient' } },
  '/verification': {
    one: { 'verification:write': 'verifyCompactCredential', 'verification:read': 'retrievePresentationTemplates' },
  },
  '/certificates': { one: { 'certificates:read': 'retrieveIacas', 'trusted-issuers:read': 'retrieveTrustedIssuers' } },
  '/certificates/:kind/:id': { all: { 'certificates:read': 'retrieveIacas' } },
  '/ecosystems': { all: ecosystems },
  '/ecosystems/new': { all: { 'ecosystems:write': 'createEcosystem', ...ecosystems } },
  '/ecosystems/certificates': ecosystemCertificates,
  '/certificates/ecosystem-ca/:id': ecosystemCertificates,
  '/certificates/vical-signer/:id': ecosystemCertificates,
  '/certificates/rical-signer/:id': ecosystemCertificates,
  '/ecosystems/:id/participants/new': { all: { 'ecosystems:write': 'createParticipant', ...ecosystems } },
  '/ecosystems/:id/participants/:participantId': { all: ecosystems },
  '/ecosystems/:id': { all: ecosystems },
  '/ecosystems/:id/integrations/certificates': { all: ecosystems },
  '/ecosystems/:id/vicals/:number': { all: ecosystems },
  '/ecosystems/:id/ricals/:number': { all: ecosystems },
  '/webhooks': { all: webhooks },
  '/webhooks/new': { all: { 'webhooks:write': 'createWebhook', ...webhooks } },
  '/webhooks/:id': { all: webhooks },
  '/messages': { one: { ...inboxes, 'inboxes:write': 'sendMessage' } },
  '/messages/:id': { all: inboxes },
  '/events': { all: { 'events:read': 'retrieveEvents' } },
  '/events/:id': { all: { 'events:read': 'retrieveEvents' } },
  '/access': {
    one: {
      'clients:read': 'retrieveClients',
      'settings:read': 'retrieveSignInProvider',
      'authentication-providers:read': 'retrieveAuthenticationProviders',
      'claim-sources:read': 'retrieveClaimSources',
      'interaction-hook:read': 'retrieveOpenIdConfiguration',
      'oauth-clients:read': 'retrieveOAuthClients',
      'wallet-providers:read': 'retrieveWalletProviders',
      'configurations:read': 'retrieveConformance',
      'holder-applications:read': 'retrieveHolderApplications',
    },
  },
  '/settings': {
    one: {
      'settings:read': 'retrieveSettings',
      'keys:read': 'retrieveKeys',
      'dids:read': 'retrieveDids',
      'configurations:read': 'retrieveContexts',
      'approvals:read': 'retrieveApprovals',
      'events:read': 'retrieveAuditProof',
      'overview:read': 'retrieveLateJobs',
      'ecosystem-overview:read': 'retrieveLateJobs',
    },
  },
} as const satisfies Readonly<Record<string, ScreenNeeds>>

export type ScreenPath = keyof typeof needsByPath

/** Returns whether the roles allow the requests of a screen. */
export function mayOpen(path: ScreenPath): boolean {
  return lackingFor(path).length === 0
}

/**
 * Returns the permissions that the user lacks to open a screen. Of a screen with parts, one of them is enough. Returns none for a path of
 * a screen that each role can open.
 */
export function lackingFor(path: string): readonly string[] {
  const { all = {}, one = {} } = findNeeds(path) ?? {}
  const lackingOf = (needs: Needs) => Object.entries(needs).filter(([, operation]) => operation && !can(operation))
  const lackingParts = lackingOf(one)
  const hasPart = lackingParts.length < Object.keys(one).length
  return [...lackingOf(all), ...(hasPart ? [] : lackingParts)].map(([permission]) => permission)
}

function findNeeds(path: string): ScreenNeeds | undefined {
  return Object.hasOwn(needsByPath, path) ? needsByPath[path as ScreenPath] : undefined
}
