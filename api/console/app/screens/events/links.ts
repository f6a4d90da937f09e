import { certificateKinds, type NamedKind } from '../../kit/names.ts'
import { to } from '../../kit/url-state.ts'

/** Members that have the same meaning in the data of all events. */
const byName: Record<string, string> = {
  userId: '/users/',
  erasureId: '/users/erasures/',
  offerId: '/offers/',
  webhookId: '/webhooks/',
  ecosystemId: '/ecosystems/',
  iacaId: '/certificates/iaca/',
  documentSignerId: '/certificates/document-signer/',
  statusListSignerId: '/certificates/status-list-signer/',
  sdJwtSignerId: '/certificates/sd-jwt-signer/',
  dtsCaCertificateId: '/certificates/ecosystem-ca/',
  vicalSignerId: '/certificates/vical-signer/',
  ricalSignerId: '/certificates/rical-signer/',
}

/** The members that are ids of objects whose screen has another member in its address. */
const kinds: Record<string, NamedKind> = {
  ...{ clientId: 'client', configurationId: 'configuration', credentialConfigurationId: 'configuration' },
}

/** The kinds of objects with a name, by the address of their screens. */
const kindsByPath: readonly [RegExp, NamedKind][] = [
  [/^\/users\/$/, 'user'],
  [/^\/webhooks\/$/, 'webhook'],
  [/^\/ecosystems\/$/, 'ecosystem'],
  [/^\/configurations\//, 'configuration'],
]

/** The meaning of `id` by operation. */
const byOperation: readonly [RegExp, string][] = [
  [/^USER_(CREATE|RETRIEVE|UPDATE)_/, '/users/'],
  [/^WEBHOOK_(CREATE|RETRIEVE|UPDATE|TEST)_/, '/webhooks/'],
  [/^ECOSYSTEM_(CREATE|RETRIEVE|UPDATE)_/, '/ecosystems/'],
  [/^OPENID_(PRE_AUTHORIZED_)?OFFER_/, '/offers/'],
  [/^CREDENTIAL_COMPACT_SEMANTIC_CREDENTIAL_CONFIGURATION_/, '/configurations/compact-semantic/'],
  [/^CREDENTIAL_COMPACT_CREDENTIAL_CONFIGURATION_/, '/configurations/compact/'],
  [/^CREDENTIAL_WEB_SEMANTIC_CREDENTIAL_CONFIGURATION_/, '/configurations/web-semantic/'],
  [/^MOBILE_CREDENTIAL_CONFIGURATION_/, '/configurations/mobile/'],
  [/^SD_JWT_CREDENTIAL_CONFIGURATION_/, '/configurations/sd-jwt/'],
  [/^MOBILE_CREDENTIAL_IACA_/, '/certificates/iaca/'],
  [/^MOBILE_CREDENTIAL_DOCUMENT_SIGNER_/, '/certificates/document-signer/'],
  [/^MOBILE_CREDENTIAL_STATUS_LIST_SIGNER_/, '/certificates/status-list-signer/'],
  [/^SD_JWT_CREDENTIAL_SIGNER_/, '/certificates/sd-jwt-signer/'],
  [/^ECOSYSTEM_DTS_CA_CERTIFICATE_/, '/certificates/ecosystem-ca/'],
  [/^ECOSYSTEM_VICAL_SIGNER_CERTIFICATE_/, '/certificates/vical-signer/'],
  [/^ECOSYSTEM_RICAL_SIGNER_CERTIFICATE_/, '/certificates/rical-signer/'],
]

/** Returns the address of the screen for a value of an event's data. Returns undefined if there is no such screen. */
export function hrefOf(name: string, value: string, type: string): string | undefined {
  const path = pathOf(name, type)
  return path && to(path + encodeURIComponent(value))
}

/** Returns the kind of the object that a value of an event's data names. */
export function kindOf(name: string, type: string): NamedKind | undefined {
  if (Object.hasOwn(kinds, name)) return kinds[name]
  const path = pathOf(name, type) ?? ''
  const certificate = certificateKinds.find((kind) => path === `/certificates/${kind}/`)
  return certificate ?? kindsByPath.find(([pattern]) => pattern.test(path))?.[1]
}

function pathOf(name: string, type: string): string | undefined {
  const own = name === 'id' ? byOperation.find(([operation]) => operation.test(type))?.[1] : undefined
  return own ?? (Object.hasOwn(byName, name) ? byName[name] : undefined)
}
