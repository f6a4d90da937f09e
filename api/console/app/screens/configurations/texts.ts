import { texts } from '../../kit/language.ts'

export const configurationTexts = texts({
  configurations: { en: 'Configurations', de: 'Konfigurationen' },
  configuration: { en: 'Configuration', de: 'Konfiguration' },
  create: { en: 'New configuration', de: 'Neue Konfiguration' },
  empty: {
    en: 'No configuration yet. A configuration defines what a credential contains, how long it is valid and how wallets show it.',
    de: 'Noch keine Konfiguration. Eine Konfiguration legt fest, was ein Nachweis enthält, wie lange er gilt und wie Wallets ihn anzeigen.',
  },
  noneOfProfile: { en: 'No configuration of this profile.', de: 'Keine Konfiguration dieses Profils.' },
  beginWith: {
    en: 'Start with an example, which is valid and can be changed, or with an empty configuration.',
    de: 'Beginnen Sie mit einem Beispiel, das gültig ist und geändert werden kann, oder mit einer leeren Konfiguration.',
  },
  profile: { en: 'Profile', de: 'Profil' },
  validity: { en: 'Validity', de: 'Gültigkeit' },
  expiresAfter: { en: 'Expires after', de: 'Läuft ab nach' },
  unit: { en: 'Unit', de: 'Einheit' },
  addUnit: { en: 'Add a unit', de: 'Einheit hinzufügen' },
  expiresOn: { en: 'If it is issued now, it expires on', de: 'Bei Ausstellung jetzt läuft er ab am' },
  noDate: { en: 'This duration is too long.', de: 'Diese Dauer ist zu lang.' },
  noEnd: { en: 'no expiry', de: 'unbegrenzt' },
  revocable: { en: 'Revocable', de: 'Widerrufbar' },
  offers: { en: 'Offers', de: 'Angebote' },
  credentials: { en: 'Credentials', de: 'Nachweise' },
  certificates: { en: 'Certificates', de: 'Zertifikate' },
  offerIt: { en: 'Create an offer', de: 'Angebot erstellen' },
  created: {
    en: 'The configuration was created. Wallets can find it in the metadata.',
    de: 'Die Konfiguration wurde angelegt. Wallets finden sie in den Metadaten.',
  },
  needsIaca: {
    en: 'These credentials are signed under a root certificate (IACA). It must be active before the first credential is issued.',
    de: 'Diese Nachweise werden unter einem Wurzelzertifikat (IACA) signiert. Es muss aktiv sein, bevor der erste Nachweis ausgestellt wird.',
  },
  basics: { en: 'Basics', de: 'Grundlagen' },
  issuer: { en: 'Issuer', de: 'Aussteller' },
  jsonLd: { en: 'Types, contexts and branding', de: 'Typen, Kontexte und Gestaltung' },
  branding: { en: 'Branding for all languages', de: 'Gestaltung für alle Sprachen' },
  claims: { en: 'Claims', de: 'Angaben' },
  claimsHint: {
    en: 'The claims of the credential and the source of each value: the person’s claims, or a default.',
    de: 'Die Angaben im Nachweis und die Quelle jedes Werts: die Angaben zur Person oder eine Vorgabe.',
  },
  treeHint: {
    en: 'The claims are a tree. A dot in a name makes an object, and [] makes an array, such as degrees[].type. * is the setting of the configuration.',
    de: 'Die Angaben sind ein Baum. Ein Punkt im Namen ergibt ein Objekt, [] eine Liste, etwa degrees[].type. * ist die Einstellung der Konfiguration.',
  },
  newClaimName: { en: 'Name of the new claim', de: 'Name der neuen Angabe' },
  objectNode: { en: 'object', de: 'Objekt' },
  arrayNode: { en: 'array', de: 'Liste' },
  disclosure: { en: 'Disclosure', de: 'Offenlegung' },
  byHolder: { en: 'the holder decides', de: 'die Person entscheidet' },
  alwaysShown: { en: 'always visible', de: 'immer sichtbar' },
  addClaim: { en: 'Add a claim', de: 'Angabe hinzufügen' },
  addNamespace: { en: 'Add a namespace', de: 'Namensraum hinzufügen' },
  order: { en: 'Order', de: 'Reihenfolge' },
  orderHint: {
    en: 'Drag a claim to move it, or use Alt+Up and Alt+Down.',
    de: 'Zum Verschieben eine Angabe ziehen, oder Alt+Pfeil nach oben und unten verwenden.',
  },
  moveUp: { en: 'Move up', de: 'Nach oben' },
  moveDown: { en: 'Move down', de: 'Nach unten' },
  isTwice: {
    en: 'Another claim has this name. Rename this claim or remove it.',
    de: 'Eine andere Angabe heißt schon so. Benennen Sie diese Angabe um, oder entfernen Sie sie.',
  },
  names: { en: 'Display names', de: 'Anzeigenamen' },
  namesAndSvgId: { en: 'Display names and SVG id', de: 'Anzeigenamen und SVG-ID' },
  nameNumber: { en: 'Name {number}', de: 'Name {number}' },
  addName: { en: 'Add a name', de: 'Name hinzufügen' },
  display: { en: 'How wallets show it', de: 'Anzeige in Wallets' },
  displayHint: { en: 'Once for each language.', de: 'Je Sprache einmal.' },
  languageNumber: { en: 'Language {number}', de: 'Sprache {number}' },
  addLanguage: { en: 'Add a language', de: 'Sprache hinzufügen' },
  removeIt: { en: 'Remove', de: 'Entfernen' },
  mappedTimes: { en: 'Validity from claims', de: 'Gültigkeit aus Angaben' },
  claimSource: { en: 'Claim source', de: 'Datenquelle' },
  request: { en: 'Request by wallets', de: 'Anfrage durch Wallets' },
  keys: { en: 'Attestation of keys', de: 'Attestierung von Schlüsseln' },
  preview: { en: 'In a wallet', de: 'In einer Wallet' },
  allLanguages: { en: 'all languages', de: 'alle Sprachen' },
  hardToRead: {
    en: 'the text is hard to read on this colour',
    de: 'der Text ist auf dieser Farbe schlecht zu lesen',
  },
  noLogo: { en: 'No picture was found at this address.', de: 'Unter dieser Adresse wurde kein Bild gefunden.' },
  notJsonAt: {
    en: 'This is not valid JSON. See line {line}, column {column}.',
    de: 'Das ist kein gültiges JSON. Sehen Sie in Zeile {line}, Spalte {column} nach.',
  },
  noObject: { en: 'It must be an object: { … }', de: 'Es muss ein Objekt sein: { … }' },
  formWaits: {
    en: 'The form cannot be edited until this is valid JSON.',
    de: 'Das Formular kann erst wieder bearbeitet werden, wenn dies gültiges JSON ist.',
  },
  backToForm: { en: 'Restore the values of the form', de: 'Werte des Formulars wiederherstellen' },
  metadata: { en: 'Metadata for wallets', de: 'Metadaten für Wallets' },
  metadataHint: {
    en: 'From the public metadata of the issuer, for the saved version.',
    de: 'Aus den öffentlichen Metadaten des Ausstellers, für die gespeicherte Fassung.',
  },
  deleteIt: { en: 'Delete the configuration?', de: 'Konfiguration löschen?' },
  deleteAdvice: {
    en: 'No more credentials can be issued with it. Issued credentials stay unchanged.',
    de: 'Damit können keine Nachweise mehr ausgestellt werden. Ausgestellte Nachweise bleiben unverändert.',
  },
  isOffered: {
    en: 'Open offers use this configuration. Delete them first, or wait until they have ended.',
    de: 'Offene Angebote verwenden diese Konfiguration. Löschen Sie diese Angebote zuerst, oder warten Sie ihr Ende ab.',
  },
  differIn: { en: 'They differ in:', de: 'Unterschiede bei:' },
  theirs: { en: 'Saved in the meantime', de: 'Inzwischen gespeichert' },
  yours: { en: 'Entered here', de: 'Hier eingegeben' },
  takeTheirs: { en: 'Continue with the saved version', de: 'Mit der gespeicherten Fassung weitermachen' },
  keepMine: {
    en: 'Keep my input and replace the saved version',
    de: 'Meine Eingaben behalten und die gespeicherte Fassung ersetzen',
  },
  chosen: {
    en: 'Nothing is saved yet. Save when the form is complete.',
    de: 'Es ist noch nichts gespeichert. Speichern Sie, wenn das Formular vollständig ist.',
  },
})

export const profileTexts = texts({
  compact: { en: 'Compact', de: 'Kompakt' },
  'compact-semantic': { en: 'Compact semantic', de: 'Kompakt-semantisch' },
  'web-semantic': { en: 'Web semantic', de: 'Web-semantisch' },
  mobile: { en: 'Mobile', de: 'Mobil' },
  'sd-jwt': { en: 'SD-JWT VC', de: 'SD-JWT VC' },
})

export const profileAbout = texts({
  compact: {
    en: 'a small CWT, which also fits into a QR code',
    de: 'ein kleines CWT, das auch in einen QR-Code passt',
  },
  'compact-semantic': {
    en: 'a W3C credential in a CWT',
    de: 'ein W3C-Nachweis in einem CWT',
  },
  'web-semantic': {
    en: 'a W3C credential in JSON-LD, with a proof',
    de: 'ein W3C-Nachweis in JSON-LD mit eingebetteter Signatur',
  },
  mobile: {
    en: 'an mdoc according to ISO/IEC 18013-5, which a phone presents to a reader',
    de: 'ein mdoc nach ISO/IEC 18013-5, das ein Telefon einem Lesegerät vorzeigt',
  },
  'sd-jwt': {
    en: 'a JWT from which the holder shows only chosen claims, for the EU and most wallets',
    de: 'ein JWT, aus dem die Person nur ausgewählte Angaben zeigt, für die EU und die meisten Wallets',
  },
})

export const exampleTexts = texts({
  empty: { en: 'Empty', de: 'Leer' },
  studentCard: { en: 'Student card', de: 'Studierendenausweis' },
  studentCardAbout: {
    en: 'Name, student number and programme, valid for a year.',
    de: 'Name, Matrikelnummer und Studiengang, ein Jahr gültig.',
  },
  employeeBadge: { en: 'Employee badge', de: 'Mitarbeiterausweis' },
  employeeBadgeAbout: {
    en: 'Name, employee number and department, valid for two years.',
    de: 'Name, Personalnummer und Abteilung, zwei Jahre gültig.',
  },
  courseCertificate: { en: 'Course certificate', de: 'Kursbescheinigung' },
  courseCertificateAbout: {
    en: 'Name, course and grade, without expiry.',
    de: 'Name, Kurs und Note, unbegrenzt gültig.',
  },
  drivingLicence: { en: 'Driving licence', de: 'Führerschein' },
  drivingLicenceAbout: {
    en: 'Everything that ISO/IEC 18013-5 requires, valid until the licence expires.',
    de: 'Alles, was ISO/IEC 18013-5 verlangt, gültig bis zum Ablauf des Führerscheins.',
  },
  memberCard: { en: 'Member card', de: 'Mitgliedsausweis' },
  memberCardAbout: {
    en: 'Name, address and age over 18, each shown only if the holder agrees.',
    de: 'Name, Adresse und Volljährigkeit, jede Angabe nur mit Zustimmung der Person.',
  },
})
