/** The categories of events by group: that of the audit, and the operation groups in the spelling of the service. */
export const categoryGroups: readonly {
  name: 'tenant' | 'issuance' | 'credentials' | 'certificates' | 'verification' | 'operation'
  of: readonly string[]
}[] = [
  {
    name: 'tenant',
    of: ['AUDIT', 'ACCESS', 'CONSOLE', 'TENANTS', 'CLIENTS', 'KEYS', 'DIDS', 'CONFIGURATION_FILES', 'APPROVALS'],
  },
  {
    name: 'issuance',
    of: [
      ...['OFFERS', 'BULK_ISSUANCE', 'OPENID_VCI', 'DISCOVERY', 'USERS', 'CLAIM_SOURCES', 'INTERACTION_HOOK'],
      ...['AUTHENTICATION_PROVIDERS', 'AUTHORIZATION_SERVERS', 'OAUTH_CLIENTS', 'WALLET_PROVIDERS'],
      ...['HOLDER_APPLICATIONS', 'VIEWS', 'ACCESS_CERTIFICATES'],
    ],
  },
  {
    name: 'credentials',
    of: ['COMPACT', 'COMPACT_SEMANTIC', 'WEB_SEMANTIC', 'MOBILE', 'SD_JWT_VC', 'REVOCATION'],
  },
  {
    name: 'certificates',
    of: [
      ...['IACAS', 'DOCUMENT_SIGNERS', 'STATUS_LIST_SIGNERS', 'SD_JWT_SIGNERS', 'TRUSTED_ISSUERS'],
      ...['ECOSYSTEM_CERTIFICATES', 'ECOSYSTEMS'],
    ],
  },
  { name: 'verification', of: ['VERIFICATION', 'VERIFIER', 'PRESENTATIONS', 'MESSAGING'] },
  { name: 'operation', of: ['WEBHOOKS', 'OVERVIEW', 'ANALYTICS', 'SERVICE'] },
]
