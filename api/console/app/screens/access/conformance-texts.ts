import { texts } from '../../kit/language.ts'

export const conformanceTexts = texts({
  title: { en: 'HAIP 1.0', de: 'HAIP 1.0' },
  about: {
    en: 'The requirements of the OpenID4VC High Assurance Interoperability Profile for issuers. The operator of the platform sets the profile of the tenant.',
    de: 'Die Anforderungen des OpenID4VC High Assurance Interoperability Profile an Aussteller. Der Betreiber der Plattform setzt das Profil des Mandanten.',
  },
  conforms: {
    en: 'No requirement that the service can look at is unmet',
    de: 'Keine Anforderung, die der Dienst prüfen kann, ist unerfüllt',
  },
  conformsNot: { en: 'Some requirements are not met', de: 'Einige Anforderungen sind nicht erfüllt' },
  lookedAt: { en: 'Looked at: {what}', de: 'Geprüft: {what}' },
  recommended: { en: 'recommended', de: 'empfohlen' },
})

/** The states of a requirement. */
export const stateTexts = texts({
  met: { en: 'met', de: 'erfüllt' },
  notMet: { en: 'not met', de: 'nicht erfüllt' },
  notApplicable: { en: 'not applicable', de: 'nicht anwendbar' },
  toBeTested: { en: 'to be tested from outside', de: 'von außen zu prüfen' },
})

/** The requirements by their names. */
export const requirementTexts = texts({
  authorization_code_flow: { en: 'Authorization code flow', de: 'Ablauf mit Autorisierungscode' },
  credential_format: { en: 'A credential as SD-JWT VC or mdoc', de: 'Ein Nachweis als SD-JWT VC oder mdoc' },
  fapi_security_profile: { en: 'FAPI 2.0 Security Profile', de: 'FAPI 2.0 Security Profile' },
  pkce: { en: 'PKCE with S256 only', de: 'PKCE nur mit S256' },
  pushed_authorization_requests: {
    en: 'Pushed authorization requests are required',
    de: 'Übergebene Autorisierungsanfragen (PAR) sind Pflicht',
  },
  issuer_in_response: { en: 'iss in authorization responses', de: 'iss in Autorisierungsantworten' },
  dpop: { en: 'DPoP is required', de: 'DPoP ist Pflicht' },
  credential_offer: { en: 'Credential offers of OpenID4VCI', de: 'Angebote (Credential Offer) nach OpenID4VCI' },
  batch_size: { en: 'The size of a batch is published', de: 'Die Größe eines Stapels ist veröffentlicht' },
  server_metadata: { en: 'Metadata of the authorization server', de: 'Metadaten des Autorisierungsservers' },
  issuer_metadata: { en: 'Metadata of the issuer', de: 'Metadaten des Ausstellers' },
  scopes: { en: 'A scope for each configuration', de: 'Ein Scope für jede Konfiguration' },
  signed_metadata: { en: 'Signed metadata', de: 'Signierte Metadaten' },
  signed_metadata_x5c: {
    en: 'Signed metadata with a certificate chain',
    de: 'Signierte Metadaten mit Zertifikatskette',
  },
  signed_metadata_chain: {
    en: 'No trust anchor in the chain of signed metadata',
    de: 'Kein Vertrauensanker in der Kette signierter Metadaten',
  },
  nonce_endpoint: { en: 'Nonce endpoint', de: 'Nonce-Endpunkt' },
  offer_grant: { en: 'Offers for the authorization code flow', de: 'Angebote für den Ablauf mit Autorisierungscode' },
  offer_scope: {
    en: 'The scope of each offered credential is published',
    de: 'Der Scope jedes angebotenen Nachweises ist veröffentlicht',
  },
  offer_devices: {
    en: 'Offers on the same device and across devices',
    de: 'Angebote auf demselben Gerät und geräteübergreifend',
  },
  par_authentication: {
    en: 'Wallets authenticate when they push requests',
    de: 'Wallets weisen sich beim Übergeben von Anfragen aus',
  },
  authorization_scope: {
    en: 'A scope stands for one type of credential',
    de: 'Ein Scope steht für eine Art von Nachweis',
  },
  refresh_tokens: { en: 'Refresh tokens', de: 'Refresh-Token' },
  wallet_authentication: {
    en: 'Every wallet authenticates by an attestation',
    de: 'Jede Wallet weist sich mit einer Attestierung aus',
  },
  wallet_trust: { en: 'Trusted certificates of wallet providers', de: 'Vertraute Zertifikate von Wallet-Anbietern' },
  wallet_attestation_chain: {
    en: 'Certificate chain of wallet attestations',
    de: 'Zertifikatskette von Wallet-Attestierungen',
  },
  wallet_attestation_subject: {
    en: 'Wallet attestations identify no single phone',
    de: 'Wallet-Attestierungen kennzeichnen kein einzelnes Telefon',
  },
  wallet_client_id: { en: 'client_id as in the wallet attestation', de: 'client_id wie in der Wallet-Attestierung' },
  key_attestation: { en: 'Key attestations are accepted', de: 'Schlüsselattestierungen werden akzeptiert' },
  key_attestation_x5c: {
    en: 'Key attestations with their certificate',
    de: 'Schlüsselattestierungen mit ihrem Zertifikat',
  },
  key_attestation_chain: {
    en: 'No trust anchor in the chain of key attestations',
    de: 'Kein Vertrauensanker in der Kette von Schlüsselattestierungen',
  },
  single_key_attestation: {
    en: 'One key attestation for all keys of a batch',
    de: 'Eine Schlüsselattestierung für alle Schlüssel eines Stapels',
  },
  mdoc_status: { en: 'Status of mdocs', de: 'Status von mdocs' },
  sd_jwt_serialization: { en: 'Compact SD-JWT VCs', de: 'Kompakte SD-JWT VCs' },
  validity: { en: 'Limited validity of SD-JWT VCs', de: 'Begrenzte Gültigkeit von SD-JWT VCs' },
  holder_key: { en: 'The key of the holder in cnf', de: 'Der Schlüssel des Inhabers in cnf' },
  status_list: { en: 'Token status list', de: 'Token-Statusliste' },
  status_list_x5c: { en: 'Status lists with their certificate', de: 'Statuslisten mit ihrem Zertifikat' },
  status_list_chain: {
    en: 'No trust anchor in the chain of status lists',
    de: 'Kein Vertrauensanker in der Kette von Statuslisten',
  },
  status_index: { en: 'Unpredictable status list indexes', de: 'Nicht vorhersagbare Plätze in Statuslisten' },
  sd_jwt_x5c: { en: 'SD-JWT VCs with a certificate chain', de: 'SD-JWT VCs mit Zertifikatskette' },
  sd_jwt_chain: {
    en: 'No trust anchor in the chain of SD-JWT VCs',
    de: 'Kein Vertrauensanker in der Kette von SD-JWT VCs',
  },
  signature_algorithms: { en: 'ES256 is accepted', de: 'ES256 wird akzeptiert' },
  hash_algorithm: { en: 'SHA-256 in SD-JWT VCs and mdocs', de: 'SHA-256 in SD-JWT VCs und mdocs' },
})
