import { texts } from '../../kit/language.ts'

export const conformanceTexts = texts({
  title: { en: 'HAIP 1.0', de: 'HAIP 1.0' },
  about: {
    en: 'The requirements of the OpenID4VC High Assurance Interoperability Profile for issuers. The operator of the platform sets the profile of the tenant.',
    de: 'Die Anforderungen des OpenID4VC High Assurance Interoperability Profile an Aussteller. Der Betreiber der Plattform setzt das Profil des Mandanten.',
  },
  conforms: { en: 'All requirements are met', de: 'Alle Anforderungen sind erfüllt' },
  conformsNot: { en: 'Some requirements are not met', de: 'Einige Anforderungen sind nicht erfüllt' },
  met: { en: 'met', de: 'erfüllt' },
  unmet: { en: 'not met', de: 'nicht erfüllt' },
})

/** The requirements by their names. */
export const requirementTexts = texts({
  authorization_code_flow: { en: 'Authorization code flow', de: 'Ablauf mit Autorisierungscode' },
  credential_format: { en: 'A credential as SD-JWT VC or mdoc', de: 'Ein Nachweis als SD-JWT VC oder mdoc' },
  pkce: { en: 'PKCE with S256 only', de: 'PKCE nur mit S256' },
  pushed_authorization_requests: {
    en: 'Pushed authorization requests are required',
    de: 'Übergebene Autorisierungsanfragen (PAR) sind Pflicht',
  },
  issuer_in_response: { en: 'iss in authorization responses', de: 'iss in Autorisierungsantworten' },
  dpop: { en: 'DPoP is required', de: 'DPoP ist Pflicht' },
  batch_size: { en: 'The size of a batch is published', de: 'Die Größe eines Stapels ist veröffentlicht' },
  scopes: { en: 'A scope for each configuration', de: 'Ein Scope für jede Konfiguration' },
  signed_metadata: {
    en: 'Signed metadata with a certificate chain',
    de: 'Signierte Metadaten mit Zertifikatskette',
  },
  nonce_endpoint: { en: 'Nonce endpoint', de: 'Nonce-Endpunkt' },
  response_encryption: { en: 'Encrypted responses are offered', de: 'Verschlüsselte Antworten werden angeboten' },
  wallet_authentication: {
    en: 'Every wallet authenticates by an attestation',
    de: 'Jede Wallet weist sich mit einer Attestierung aus',
  },
  wallet_trust: { en: 'Trusted certificates of wallet providers', de: 'Vertraute Zertifikate von Wallet-Anbietern' },
  key_attestation: { en: 'Key attestations are accepted', de: 'Schlüsselattestierungen werden akzeptiert' },
  single_key_attestation: {
    en: 'One key attestation for all keys of a batch',
    de: 'Eine Schlüsselattestierung für alle Schlüssel eines Stapels',
  },
  status_list: { en: 'Token status list', de: 'Token-Statusliste' },
  signature_algorithms: { en: 'ES256 is accepted', de: 'ES256 wird akzeptiert' },
})
