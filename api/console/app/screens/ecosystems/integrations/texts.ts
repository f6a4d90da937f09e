import { type Text, texts } from '../../../kit/language.ts'

export const integrationTexts = texts({
  what: {
    en: 'VICALs and RICALs that others publish. Certificates of VICALs count when trust is tried, for the types that this ecosystem has. They are on no list of yours.',
    de: 'VICALs und RICALs, die andere veröffentlichen. Zertifikate von VICALs zählen, wenn Vertrauen geprüft wird, für die Arten dieses Ökosystems. Auf Ihren Listen stehen sie nicht.',
  },
  format: { en: 'Format', de: 'Format' },
  VICAL: { en: 'VICAL: authorities of issuers', de: 'VICAL: Zertifizierungsstellen von Ausstellern' },
  RICAL: { en: 'RICAL: authorities of readers', de: 'RICAL: Zertifizierungsstellen von Lesegeräten' },
  readers: {
    en: 'It lists readers. Its certificates never count as issuers.',
    de: 'Sie führt Lesegeräte auf. Ihre Zertifikate zählen nie als Aussteller.',
  },
  empty: {
    en: 'No list of others. Add one to trust the issuers that its publisher trusts.',
    de: 'Keine fremde Liste. Fügen Sie eine hinzu, um denen zu vertrauen, denen ihr Herausgeber vertraut.',
  },
  newList: { en: 'Add a list of others', de: 'Fremde Liste hinzufügen' },
  url: { en: 'Where it is published', de: 'Wo sie veröffentlicht wird' },
  urlHint: {
    en: 'An https address, such as https://lists.example.org/vical.cbor',
    de: 'Eine https-Adresse, etwa https://lists.example.org/vical.cbor',
  },
  anchor: { en: 'Root certificate of its signer', de: 'Wurzelzertifikat ihres Signierers' },
  anchorHint: {
    en: 'Recommended. Without it, the root in the first valid list stays fixed. Required for a RICAL, which does not contain its root.',
    de: 'Empfohlen. Ohne dieses Zertifikat gilt fortan die Wurzel der ersten gültigen Liste. Für eine RICAL erforderlich, da sie ihre Wurzel nicht enthält.',
  },
  sync: { en: 'Fetch now', de: 'Jetzt holen' },
  syncing: {
    en: 'All lists of others are being fetched. The results appear here in a moment.',
    de: 'Alle fremden Listen werden jetzt geholt; was dabei herauskommt, erscheint gleich hier.',
  },
  good: { en: 'good', de: 'gut' },
  bad: { en: 'failed', de: 'fehlgeschlagen' },
  waiting: { en: 'is being fetched', de: 'wird geholt' },
  disabled: { en: 'disabled', de: 'ausgeschaltet' },
  enable: { en: 'Enable', de: 'Einschalten' },
  disable: { en: 'Disable', de: 'Ausschalten' },
  remove: { en: 'Remove', de: 'Entfernen' },
  removeWhat: {
    en: 'Its certificates are no longer trusted, at once.',
    de: 'Ihre Zertifikate zählen sofort nicht mehr.',
  },
  tried: { en: 'Last tried', de: 'Zuletzt versucht' },
  listDate: { en: 'Last good list of', de: 'Letzte gute Liste vom' },
  certificates: { en: 'Certificates', de: 'Zertifikate' },
  certificate: { en: 'Certificate', de: 'Zertifikat' },
  noCertificates: { en: 'No certificates.', de: 'Keine Zertifikate.' },
  docTypes: { en: 'For types', de: 'Für Arten' },
  valid: { en: 'Valid', de: 'Gültig' },
  fingerprint: { en: 'Fingerprint', de: 'Fingerabdruck' },
  changes: { en: 'Last change', de: 'Letzte Änderung' },
  changed: {
    en: '{added} added, {removed} removed, {changed} for other types',
    de: '{added} hinzugekommen, {removed} entfallen, {changed} für andere Arten',
  },
  skipped: { en: 'Entries that cannot be used', de: 'Einträge, die nicht zu gebrauchen sind' },
  skippedOne: { en: 'Entry {index}: {reason}', de: 'Eintrag {index}: {reason}' },
  pinned: { en: 'Fixed to the root', de: 'Festgelegt auf die Wurzel' },
  anchors: { en: 'Trust anchors', de: 'Vertrauensanker' },
  stays: {
    en: 'What the last good list gave stays in use.',
    de: 'Was die letzte gute Liste enthielt, gilt weiter.',
  },
})

/** The reasons why a list was not accepted, by the error type of the service. */
export const failTexts: Record<string, Text> = texts({
  FetchFailed: { en: 'It could not be fetched.', de: 'Sie konnte nicht geholt werden.' },
  TooLarge: { en: 'It is too large.', de: 'Sie ist zu groß.' },
  NotAList: {
    en: 'What is at the address is no list of this format.',
    de: 'Unter der Adresse ist keine Liste dieses Formats.',
  },
  SignatureInvalid: { en: 'Its signature is not valid.', de: 'Ihre Signatur ist nicht gültig.' },
  ChainInvalid: {
    en: 'Its signer is not certified by a root that is trusted.',
    de: 'Ihr Signierer ist von keiner vertrauenswürdigen Wurzel zertifiziert.',
  },
  RootMissing: {
    en: 'It does not contain the root of its signer, and no trust anchor is set. Add the root here.',
    de: 'Sie enthält die Wurzel ihres Signierers nicht, und kein Vertrauensanker ist festgelegt. Fügen Sie die Wurzel hier hinzu.',
  },
  RootChanged: { en: 'It is under another root than before.', de: 'Sie ist unter einer anderen Wurzel als bisher.' },
  DateInFuture: { en: 'Its date is in the future.', de: 'Ihr Datum liegt in der Zukunft.' },
  Expired: { en: 'It has expired. The next list was due.', de: 'Sie ist abgelaufen: Die nächste war fällig.' },
  Outdated: { en: 'It is older than the last good one.', de: 'Sie ist älter als die letzte gute.' },
  NoUsableEntries: { en: 'None of its entries can be read.', de: 'Keiner ihrer Einträge ist lesbar.' },
})
