import { approvalRoutes } from './approvals/routes.ts'
import { withApprovals } from './approvals/with-approvals.ts'
import { authorityRoutes } from './certificates/authorities/routes.ts'
import { signerRoutes } from './certificates/signers/routes.ts'
import { trustedIssuerRoutes } from './certificates/trusted-issuers/routes.ts'
import { consolePageRoutes } from './console/pages/routes.ts'
import { consoleProgramRoutes } from './console/programs/routes.ts'
import { consoleProviderRoutes } from './console/provider/routes.ts'
import { providerSignInRoutes } from './console/provider-sign-in/routes.ts'
import { consoleSessionRoutes } from './console/session/routes.ts'
import { consoleSessionListRoutes } from './console/sessions/routes.ts'
import { contextRoutes } from './credentials/contexts/routes.ts'
import { notificationRoutes } from './credentials/notification/routes.ts'
import { presentationRoutes } from './credentials/presentations/routes.ts'
import { credentialRecordRoutes } from './credentials/records/routes.ts'
import { signRoutes } from './credentials/sign/routes.ts'
import { storedCredentialRoutes } from './credentials/stored/routes.ts'
import { verifyRoutes } from './credentials/verify/routes.ts'
import { verifySdJwtRoutes } from './credentials/verify/sd-jwt/routes.ts'
import { credentialTypeRoutes } from './ecosystems/credential-types/routes.ts'
import { ecosystemRoutes } from './ecosystems/ecosystems/routes.ts'
import { evidenceRoutes } from './ecosystems/evidence/routes.ts'
import { integrationRoutes } from './ecosystems/integrations/routes.ts'
import { participantRoutes } from './ecosystems/participants/routes.ts'
import { policyRoutes } from './ecosystems/policies/routes.ts'
import { trustedListRoutes } from './ecosystems/trusted-lists/routes.ts'
import type { Route } from './http/route.ts'
import { didRoutes } from './identifiers/dids/routes.ts'
import { assertionKeyRoutes } from './identifiers/keys/assertion-key-set.ts'
import { keyProviderRoutes } from './identifiers/keys/provider-routes.ts'
import { keyRoutes } from './identifiers/keys/routes.ts'
import { accessCertificateRoutes } from './issuance/access-certificates/routes.ts'
import { reviewRoutes } from './issuance/authorization/review/routes.ts'
import { authorizationRoutes } from './issuance/authorization/routes.ts'
import { authorizationServerRoutes } from './issuance/authorization-servers/routes.ts'
import { bulkIssuanceRoutes } from './issuance/bulk/routes.ts'
import { claimLinkRoutes } from './issuance/claim-links/routes.ts'
import { claimSourceRoutes } from './issuance/claim-sources/routes.ts'
import { allConfigurationsRoutes } from './issuance/configurations/all-routes.ts'
import { configurationRoutes } from './issuance/configurations/routes.ts'
import { fileTemplateRoutes } from './issuance/configurations/template-routes.ts'
import { sdJwtTypeRoutes } from './issuance/configurations/type-routes.ts'
import { conformanceRoutes } from './issuance/conformance/routes.ts'
import { credentialRoutes } from './issuance/credential/routes.ts'
import { holderApplicationRoutes } from './issuance/holder-applications/routes.ts'
import { interactionHookRoutes } from './issuance/interaction-hook/routes.ts'
import { issuerRoutes } from './issuance/metadata/routes.ts'
import { previewRoutes } from './issuance/offer-page/preview-routes.ts'
import { offerPageRoutes } from './issuance/offer-page/routes.ts'
import { offerRoutes } from './issuance/offers/routes.ts'
import { pageRoutes } from './issuance/pages/routes.ts'
import { readerRoutes } from './issuance/readers/routes.ts'
import { registrationCertificateRoutes } from './issuance/registration-certificates/routes.ts'
import { authenticationProviderRoutes } from './issuance/sign-in-provider/routes.ts'
import { oauthRoutes } from './issuance/token/routes.ts'
import { issuedCredentialRoutes } from './issuance/users/issued-routes.ts'
import { userRoutes } from './issuance/users/routes.ts'
import { viewRoutes } from './issuance/views/routes.ts'
import { walletProviderRoutes } from './issuance/wallet-providers/routes.ts'
import { attestationRoutes } from './issuance/wallets/attestation-routes.ts'
import { oauthClientRoutes } from './issuance/wallets/routes.ts'
import { inboxRoutes } from './messaging/inboxes/routes.ts'
import { messageRoutes } from './messaging/messages/routes.ts'
import { sendRoutes } from './messaging/send/routes.ts'
import { erasureRoutes } from './operations/audit/erasure-routes.ts'
import { auditRoutes } from './operations/audit/routes.ts'
import { eventRoutes } from './operations/events/routes.ts'
import { guideRoutes } from './operations/guides/routes.ts'
import { overviewRoutes } from './operations/overview/routes.ts'
import { referenceRoutes } from './operations/reference/routes.ts'
import { searchRoutes } from './operations/search/routes.ts'
import { serviceRoutes } from './operations/service/routes.ts'
import { webhookRoutes } from './operations/webhooks/routes.ts'
import { allListsRoutes } from './status/all-lists/routes.ts'
import { bulkStatusRoutes } from './status/bulk/routes.ts'
import { credentialStatusRoutes } from './status/credential-status/routes.ts'
import { listConfigurationRoutes } from './status/list-configurations/routes.ts'
import { revocationStatusRoutes } from './status/revocation/routes.ts'
import { revocationListRoutes } from './status/revocation-lists/routes.ts'
import { deprecatedTokenListRoutes } from './status/token-lists/deprecated.ts'
import { tokenListRoutes } from './status/token-lists/routes.ts'
import { clientRoutes } from './tenancy/clients/routes.ts'
import { managementTokenRoutes } from './tenancy/management-token/routes.ts'
import { ownSettingsRoutes } from './tenancy/settings/routes.ts'
import { tenantRoutes } from './tenancy/tenants/routes.ts'
import { withLocks } from './tenant-files/locks.ts'
import { tenantFilesRoutes } from './tenant-files/routes.ts'
import { verifierApplicationRoutes } from './verifier/applications/routes.ts'
import { presentationQueryRoutes } from './verifier/queries/routes.ts'
import { verifierTemplateRoutes } from './verifier/templates/routes.ts'
import { verifierWalletProviderRoutes } from './verifier/wallet-providers/routes.ts'

/**
 * All routes of the service, in the order in which they are typically used. The API reference keeps this order within its groups.
 * Add the routes of a new feature here.
 */
const routesWithoutLocks: readonly Route[] = [
  ...managementTokenRoutes,
  ...consoleSessionRoutes(() => routes),
  ...consoleProgramRoutes(() => routes),
  ...consoleSessionListRoutes,
  ...consolePageRoutes,
  ...consoleProviderRoutes,
  ...providerSignInRoutes,
  ...tenantRoutes,
  ...ownSettingsRoutes,
  ...clientRoutes,
  ...keyRoutes,
  ...keyProviderRoutes,
  ...didRoutes,
  ...authenticationProviderRoutes,
  ...assertionKeyRoutes,
  ...interactionHookRoutes,
  ...conformanceRoutes,
  ...readerRoutes,
  ...authorizationServerRoutes,
  ...claimSourceRoutes,
  ...authorityRoutes,
  ...signerRoutes,
  ...configurationRoutes,
  ...fileTemplateRoutes,
  ...sdJwtTypeRoutes,
  ...contextRoutes,
  ...signRoutes,
  ...storedCredentialRoutes,
  ...revocationStatusRoutes,
  ...notificationRoutes,
  ...credentialRecordRoutes,
  ...revocationListRoutes,
  ...listConfigurationRoutes,
  ...credentialStatusRoutes,
  ...tokenListRoutes,
  ...deprecatedTokenListRoutes,
  ...userRoutes,
  ...issuedCredentialRoutes,
  ...viewRoutes,
  ...accessCertificateRoutes,
  ...registrationCertificateRoutes,
  ...oauthClientRoutes,
  ...walletProviderRoutes,
  ...attestationRoutes,
  ...offerRoutes,
  ...offerPageRoutes,
  ...previewRoutes,
  ...bulkIssuanceRoutes,
  ...claimLinkRoutes,
  ...pageRoutes,
  ...issuerRoutes,
  ...authorizationRoutes,
  ...reviewRoutes,
  ...oauthRoutes,
  ...credentialRoutes,
  ...bulkStatusRoutes,
  ...allListsRoutes,
  ...webhookRoutes,
  ...trustedIssuerRoutes,
  ...verifyRoutes,
  ...verifySdJwtRoutes,
  ...presentationRoutes,
  ...verifierApplicationRoutes,
  ...verifierWalletProviderRoutes,
  ...verifierTemplateRoutes,
  ...presentationQueryRoutes,
  ...inboxRoutes,
  ...messageRoutes,
  ...sendRoutes,
  ...ecosystemRoutes,
  ...credentialTypeRoutes,
  ...participantRoutes,
  ...evidenceRoutes,
  ...policyRoutes,
  ...trustedListRoutes,
  ...integrationRoutes,
  ...holderApplicationRoutes,
  ...tenantFilesRoutes(() => routesWithoutLocks),
  ...approvalRoutes(() => lockedRoutes),
  ...overviewRoutes,
  ...searchRoutes,
  ...allConfigurationsRoutes,
  ...eventRoutes,
  ...auditRoutes,
  ...erasureRoutes,
  ...referenceRoutes(() => routes),
  ...guideRoutes,
  ...serviceRoutes,
]

/** Objects that files made cannot be changed by these routes if the tenant locks them. An apply uses the routes without locks. */
const lockedRoutes: readonly Route[] = withLocks(routesWithoutLocks)

/** Some requests to these routes wait for an approval if the tenant requires it. */
export const routes: readonly Route[] = withApprovals(lockedRoutes)
