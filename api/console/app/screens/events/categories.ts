/** The categories of events: that of the audit, and the operation groups in the spelling of the service. */
export const categories: readonly string[] = [
  ...['AUDIT', 'ACCESS', 'CONSOLE', 'TENANTS', 'CLIENTS', 'KEYS', 'DIDS', 'AUTHENTICATION_PROVIDERS'],
  ...['INTERACTION_HOOK', 'CLAIM_SOURCES', 'IACAS', 'DOCUMENT_SIGNERS', 'STATUS_LIST_SIGNERS', 'SD_JWT_SIGNERS'],
  ...['COMPACT', 'COMPACT_SEMANTIC', 'WEB_SEMANTIC', 'MOBILE', 'SD_JWT_VC', 'USERS', 'OAUTH_CLIENTS'],
  ...[
    'WALLET_PROVIDERS',
    'OFFERS',
    'BULK_ISSUANCE',
    'DISCOVERY',
    'OPENID_VCI',
    'REVOCATION',
    'WEBHOOKS',
    'TRUSTED_ISSUERS',
  ],
  ...['VERIFICATION', 'PRESENTATIONS', 'MESSAGING', 'ECOSYSTEM_CERTIFICATES', 'ECOSYSTEMS'],
  ...['HOLDER_APPLICATIONS', 'CONFIGURATION_FILES', 'OVERVIEW', 'ANALYTICS', 'SERVICE'],
]
