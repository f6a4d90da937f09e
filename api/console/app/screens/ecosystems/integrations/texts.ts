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
    en: 'No list of others. Add one to trust whom its publisher trusts.',
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
    en: 'The surest way. Without it the root in the first good list is kept to. A RICAL needs it: it does not hold its root.',
    de: 'Der sicherste Weg. Ohne es gilt fortan die Wurzel der ersten guten Liste. Eine RICAL braucht es: Sie enthält ihre Wurzel nicht.',
  },
  sync: { en: 'Fetch now', de: 'Jetzt holen' },
  syncing: {
    en: 'All lists of others are fetched now; what came of it appears here in a moment.',
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
    en: 'Its certificates count no more, at once.',
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
  pinned: { en: 'Kept to the root', de: 'Festgelegt auf die Wurzel' },
  anchors: { en: 'Trust anchors', de: 'Vertrauensanker' },
  stays: {
    en: 'What the last good list gave stays in use.',
    de: 'Was die letzte gute Liste enthielt, gilt weiter.',
  },
})

/** The reasons why a list was not accepted, by the error type of the service. */
export const failTexts: Record<string, Text> = texts({
  FetchFailed: { en: 'It could not be fetched.', de: 'Sie konnte nicht geholt werden.' },
  TooLarge: { en: 'It is larger than is taken here.', de: 'Sie ist größer, als hier angenommen wird.' },
  NotAList: {
    en: 'What is at the address is no list of this format.',
    de: 'Unter der Adresse ist keine Liste dieses Formats.',
  },
  SignatureInvalid: { en: 'Its signature is not good.', de: 'Ihre Signatur ist nicht gültig.' },
  ChainInvalid: {
    en: 'Its signer is not certified by a root that is trusted.',
    de: 'Ihr Signierer ist von keiner vertrauenswürdigen Wurzel zertifiziert.',
  },
  RootMissing: {
    en: 'It leaves out the root of its signer, and no trust anchor is named: add the root here.',
    de: 'Sie lässt die Wurzel ihres Signierers weg, und kein Vertrauensanker ist genannt: Fügen Sie die Wurzel hier hinzu.',
  },
  RootChanged: { en: 'It is under another root than before.', de: 'Sie ist unter einer anderen Wurzel als bisher.' },
  DateInFuture: { en: 'Its date is in the future.', de: 'Ihr Datum liegt in der Zukunft.' },
  Expired: { en: 'It is over: the next one was due.', de: 'Sie ist abgelaufen: Die nächste war fällig.' },
  Outdated: { en: 'It is older than the last good one.', de: 'Sie ist älter als die letzte gute.' },
  NoUsableEntries: { en: 'None of its entries can be read.', de: 'Keiner ihrer Einträge ist lesbar.' },
})
