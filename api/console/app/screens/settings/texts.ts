import { texts } from '../../kit/language.ts'

export const settingsTexts = texts({
  settings: { en: 'Settings', de: 'Einstellungen' },
  tenant: { en: 'Tenant', de: 'Mandant' },
  own: { en: 'Name and appearance', de: 'Name und Aussehen' },
  byPlatform: {
    en: 'The operator of this installation sets these on the host of the platform. Ask the operator for a change.',
    de: 'Diese Werte stellt der Betreiber dieser Installation auf dem Host der Plattform ein. Bitten Sie ihn um eine Änderung.',
  },
  keys: { en: 'Keys', de: 'Schlüssel' },
  dids: { en: 'DIDs', de: 'DIDs' },
  contexts: { en: 'JSON-LD contexts', de: 'JSON-LD-Kontexte' },
  audit: { en: 'Audit', de: 'Audit' },
  queues: { en: 'Queues', de: 'Warteschlangen' },
  health: { en: 'Health', de: 'Zustand' },
})

export const checkpointTexts = texts({
  about: {
    en: 'Store the checkpoint elsewhere. The command finds entries that were changed, removed or added later.',
    de: 'Bewahren Sie den Prüfpunkt an einem anderen Ort auf. Der Befehl findet Einträge, die später geändert, entfernt oder hinzugefügt wurden.',
  },
  none: { en: 'No checkpoint yet.', de: 'Noch kein Prüfpunkt.' },
})

export const keyTexts = texts({
  credentials: { en: 'Credentials', de: 'Nachweise' },
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  tokens: { en: 'Management tokens and metadata', de: 'Management-Token und Metadaten' },
  encryption: { en: 'Encrypted requests', de: 'Verschlüsselte Anfragen' },
  audit: { en: 'Checkpoints of the audit', de: 'Prüfpunkte des Audits' },
  clientAssertions: { en: 'Authentication to sign-in providers', de: 'Ausweis gegenüber Anmeldeanbietern' },
  credentialsFollows: {
    en: 'New keys sign credentials, their lists and messages at once. Old keys stay in the DID document until everything that they signed has expired. Status lists are signed again within seconds.',
    de: 'Neue Schlüssel signieren Nachweise, deren Listen und Nachrichten sofort. Alte Schlüssel bleiben im DID-Dokument, bis alles abgelaufen ist, was sie signiert haben. Statuslisten werden innerhalb von Sekunden neu signiert.',
  },
  webhooksFollows: {
    en: 'A new key signs webhooks at once. Receivers that cache keys must read /v1/webhooks/jwks again for an unknown key. The old key stays there for 25 hours.',
    de: 'Ein neuer Schlüssel signiert Webhooks sofort. Empfänger, die Schlüssel zwischenspeichern, müssen bei einem unbekannten Schlüssel /v1/webhooks/jwks neu lesen. Der alte Schlüssel bleibt dort 25 Stunden.',
  },
  tokensFollows: {
    en: 'A new key signs management tokens and signed metadata at once. Existing tokens stay valid until they expire. The old key is published for 25 hours.',
    de: 'Ein neuer Schlüssel signiert Management-Token und signierte Metadaten sofort. Vorhandene Token gelten, bis sie ablaufen. Der alte Schlüssel bleibt 25 Stunden veröffentlicht.',
  },
  encryptionFollows: {
    en: 'Wallets encrypt to a new key as soon as they read the metadata. Requests that were encrypted to the old key are decrypted for another day.',
    de: 'Wallets verschlüsseln für den neuen Schlüssel, sobald sie die Metadaten lesen. Anfragen, die für den alten Schlüssel verschlüsselt sind, werden noch einen Tag lang entschlüsselt.',
  },
  auditFollows: {
    en: 'A new key signs checkpoints of the audit at once. The old key stays published, because checkpoints have no end.',
    de: 'Ein neuer Schlüssel signiert Prüfpunkte des Audits sofort. Der alte Schlüssel bleibt veröffentlicht, weil Prüfpunkte kein Ende haben.',
  },
  clientAssertionsFollows: {
    en: 'The new key is in the key set at once and signs after an hour, because providers cache the key set. If you copied the key set to a provider, copy it again.',
    de: 'Der neue Schlüssel ist sofort veröffentlicht und signiert nach einer Stunde, weil Anbieter die Schlüssel zwischenspeichern. Wenn Sie die Schlüssel beim Anbieter eingetragen haben, tragen Sie sie neu ein.',
  },
  rotate: { en: 'Rotate', de: 'Ersetzen' },
  rotateTitle: { en: 'Rotate the keys: {use}', de: 'Schlüssel ersetzen: {use}' },
  rotated: { en: 'The new key is in use: {id}', de: 'Der neue Schlüssel ist in Gebrauch: {id}' },
  key: { en: 'Key', de: 'Schlüssel' },
  algorithm: { en: 'Algorithm', de: 'Algorithmus' },
  since: { en: 'Since', de: 'Seit' },
  inUse: { en: 'in use', de: 'in Gebrauch' },
  retired: { en: 'replaced', de: 'ersetzt' },
  publishedUntil: { en: 'Published until', de: 'Veröffentlicht bis' },
  forGood: { en: 'permanently', de: 'dauerhaft' },
})

export const healthTexts = texts({
  ok: { en: 'This process is ready.', de: 'Dieser Prozess ist bereit.' },
  unavailable: { en: 'This process is not ready.', de: 'Dieser Prozess ist nicht bereit.' },
  database: { en: 'Database', de: 'Datenbank' },
  redis: { en: 'Redis', de: 'Redis' },
  signing: { en: 'Signing process', de: 'Signaturprozess' },
  phase: { en: 'Phase', de: 'Phase' },
  starting: { en: 'starting', de: 'startet' },
  serving: { en: 'serving', de: 'in Betrieb' },
  stopping: { en: 'stopping', de: 'wird beendet' },
  reachable: { en: 'reachable', de: 'erreichbar' },
  unreachable: { en: 'unreachable', de: 'nicht erreichbar' },
  problems: { en: 'Problems', de: 'Probleme' },
  version: { en: 'Version of the interface', de: 'Version der Schnittstelle' },
})

export const queueTexts = texts({
  about: {
    en: 'The background work of the service for this tenant, and what is waiting now.',
    de: 'Die Hintergrundarbeit des Dienstes für diesen Mandanten, und was gerade wartet.',
  },
  work: { en: 'Work', de: 'Arbeit' },
  issuance: { en: 'Credentials to be signed', de: 'Nachweise, die zu signieren sind' },
  statusChange: { en: 'Changes for status lists', de: 'Änderungen für Statuslisten' },
  delivery: { en: 'Webhook deliveries', de: 'Webhook-Zustellungen' },
  message: { en: 'Messages to other services', de: 'Nachrichten an andere Dienste' },
  bulk: { en: 'Bulk requests', de: 'Massenaufträge' },
  integration: { en: 'Imported lists to fetch', de: 'Importierte Listen, die abzurufen sind' },
  queue: { en: 'Queue', de: 'Warteschlange' },
  oldest: { en: 'Oldest due date', de: 'Älteste Fälligkeit' },
  inAll: { en: '{count} in all', de: 'insgesamt {count}' },
  nothing: { en: 'nothing is waiting', de: 'nichts wartet' },
  notice: { en: 'in time', de: 'rechtzeitig' },
  warning: { en: 'late', de: 'verspätet' },
  critical: { en: 'very late', de: 'sehr verspätet' },
  publications: { en: 'Trusted lists to be published', de: 'Vertrauenslisten, die zu veröffentlichen sind' },
  noPublications: { en: 'No list is due.', de: 'Keine Liste ist fällig.' },
})
