import { say, texts } from '../../kit/language.ts'

const nounTexts = texts('noun')

/** The objects of event types, from the narrowest pattern. The verb and the prefixes of the type are removed before. */
const nouns: readonly [RegExp, keyof typeof nounTexts][] = [
  [/^CONFIGURATION/, 'configuration'],
  [/STATUS_LIST_SIGNER$|DOCUMENT_SIGNER$|SD_JWT_CREDENTIAL_SIGNER$|(VICAL|RICAL)_SIGNER_CERTIFICATE$/, 'signer'],
  [/STATUS_LIST|_REVOCATION_|_REVOCATION$/, 'statusList'],
  [/CREDENTIAL_CONFIGURATION$/, 'configuration'],
  [/TEMPLATE$/, 'template'],
  [
    /^(CREDENTIAL_(COMPACT|COMPACT_SEMANTIC|WEB_SEMANTIC)|(SD_JWT|MOBILE|ISSUED|USER)_CREDENTIAL|CREDENTIAL)$/,
    'credential',
  ],
  [/^MOBILE_CREDENTIAL_IACA/, 'iaca'],
  [/TRUSTED_ISSUER$/, 'trustedIssuer'],
  [/^(PRE_AUTHORIZED_)?OFFER/, 'offer'],
  [/AUTHENTICATION_PROVIDER$|SIGN_IN_PROVIDER$/, 'provider'],
  [/AUTHORIZATION_SERVER$/, 'authorizationServer'],
  [/^VIEW$/, 'view'],
  [/^USER$/, 'user'],
  [/^WEBHOOK_KEY$|^KEY$/, 'key'],
  [/^WEBHOOK/, 'webhook'],
  [/_LINK$/, 'link'],
  [/^BULK_ISSUANCE/, 'bulk'],
  [/^CLAIM_SOURCE$/, 'source'],
  [/^TENANT_CLIENT_SECRET$/, 'secret'],
  [/^TENANT_CLIENT$/, 'client'],
  [/^TENANT$/, 'tenant'],
  [/^OAUTH_CLIENT$/, 'wallet'],
  [/^WALLET_PROVIDER$/, 'walletProvider'],
  [/HOLDER_APPLICATION_INSTANCE$/, 'instance'],
  [/HOLDER_APPLICATION$/, 'app'],
  [/^OPENID_CONFIGURATION/, 'hook'],
  [/CONTEXT$/, 'context'],
  [/INBOX_MESSAGE$|^MESSAGING$/, 'message'],
  [/INBOX/, 'inbox'],
  [/^DID$/, 'did'],
  [/^SETTINGS/, 'settings'],
  [/DTS_CA_CERTIFICATE|ECOSYSTEM_CA_CERTIFICATE/, 'ca'],
  [/PARTICIPANT/, 'participant'],
  [/POLICY/, 'policy'],
  [/VICAL|RICAL/, 'trustedList'],
  [/^ECOSYSTEM$/, 'ecosystem'],
  [/^PRESENTATION/, 'presentation'],
  [/^APPROVAL$/, 'approval'],
  [/^ERASURE$/, 'erasure'],
  [/_SESSION$/, 'session'],
  [/_SESSIONS$/, 'sessions'],
]

/** Returns the kind of object of an event type as words in a sentence: `a user`. A kind without own words keeps its name. */
export function nounOf(name: string): string {
  const noun = nouns.find(([pattern]) => pattern.test(name))?.[1]
  return noun ? say(nounTexts[noun]) : name.replaceAll('_', ' ').toLowerCase()
}
