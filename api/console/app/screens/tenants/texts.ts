import { texts } from '../../kit/language.ts'

export const tenantTexts = texts({
  tenants: { en: 'Tenants', de: 'Mandanten' },
  tenant: { en: 'Tenant', de: 'Mandant' },
  create: { en: 'New tenant', de: 'Neuer Mandant' },
  createAction: { en: 'Create the tenant', de: 'Mandant anlegen' },
  createAdvice: {
    en: 'A tenant is an issuer with its own host, its own keys and an admin client. Everything else can be set later.',
    de: 'Ein Mandant ist ein Aussteller mit eigenem Host, eigenen Schlüsseln und einem Admin-Client. Alles Weitere lässt sich später einstellen.',
  },
  empty: {
    en: 'No tenant yet. A tenant is an issuer with its own host.',
    de: 'Noch kein Mandant. Ein Mandant ist ein Aussteller mit eigenem Host.',
  },
  address: { en: 'Address', de: 'Adresse' },
  subdomain: { en: 'Subdomain', de: 'Subdomain' },
  subdomainHint: {
    en: 'Part of the address and of the DID. It cannot be changed. Lowercase letters, digits and hyphens.',
    de: 'Teil der Adresse und der DID. Sie lässt sich nicht ändern. Kleinbuchstaben, Ziffern und Bindestriche.',
  },
  consoleOf: { en: 'Console', de: 'Konsole' },
  profile: { en: 'Profile', de: 'Profil' },
  did: { en: 'DID', de: 'DID' },
  settings: { en: 'Settings', de: 'Einstellungen' },
  clients: { en: 'Clients', de: 'Clients' },
  platformClients: { en: 'Clients of the platform', de: 'Clients der Plattform' },
  delete: { en: 'Delete the tenant', de: 'Mandanten löschen' },
  deleteText: {
    en: 'All its data is deleted: users, credentials, keys, lists, events. Its credentials can no longer be verified. This cannot be undone.',
    de: 'Alle Daten des Mandanten werden gelöscht: Personen, Nachweise, Schlüssel, Listen, Ereignisse. Seine Nachweise lassen sich nicht mehr prüfen. Das lässt sich nicht rückgängig machen.',
  },
  firstSecret: { en: 'Secret of the first client, {id}', de: 'Geheimnis des ersten Clients, {id}' },
  secretOf: { en: 'Secret of client {id}', de: 'Geheimnis des Clients {id}' },
  newClient: { en: 'New client', de: 'Neuer Client' },
  clientName: { en: 'Name', de: 'Name' },
  role: { en: 'Role', de: 'Rolle' },
  roles: { en: 'Roles', de: 'Rollen' },
  clientId: { en: 'Client id', de: 'Client-ID' },
  actions: { en: 'Actions', de: 'Aktionen' },
  noClients: {
    en: 'No client. Create a client with the role admin to manage this tenant.',
    de: 'Kein Client. Legen Sie einen mit der Rolle admin an, um diesen Mandanten zu verwalten.',
  },
  newSecret: { en: 'New secret', de: 'Neues Geheimnis' },
  newSecretText: {
    en: 'The current secret of “{name}” becomes invalid. Users who signed in with it are signed out.',
    de: 'Das bisherige Geheimnis von „{name}“ wird ungültig. Wer damit angemeldet ist, wird abgemeldet.',
  },
  deleteClient: { en: 'Delete “{name}”', de: '„{name}“ löschen' },
  deleteClientText: {
    en: 'Its tokens and console sessions end at once.',
    de: 'Seine Token und Konsolensitzungen enden sofort.',
  },
})

export const settingTexts = texts({
  name: { en: 'Name', de: 'Name' },
  nameHint: {
    en: 'Wallets show the issuer under this name.',
    de: 'Wallets zeigen den Aussteller unter diesem Namen an.',
  },
  aliases: { en: 'Other hosts', de: 'Weitere Hosts' },
  aliasesHint: {
    en: 'Additional hosts of the tenant, one per line.',
    de: 'Zusätzliche Hosts des Mandanten, einer pro Zeile.',
  },
  profile: { en: 'Security profile', de: 'Sicherheitsprofil' },
  standard: { en: 'standard: a nonce in every proof', de: 'standard: eine Nonce in jedem Schlüsselnachweis' },
  haip: {
    en: 'haip: as the High Assurance Interoperability Profile requires',
    de: 'haip: wie das High Assurance Interoperability Profile es verlangt',
  },
  lenient: {
    en: 'lenient: also accepts requests of older wallets',
    de: 'lenient: akzeptiert auch Anfragen älterer Wallets',
  },
  statusListFormat: { en: 'Token status lists', de: 'Token-Statuslisten' },
  draft14: { en: 'draft 14', de: 'Draft 14' },
  legacy: { en: 'legacy, for older verifiers', de: 'legacy, für ältere Prüfstellen' },
  suspensionMaxAge: {
    en: 'Seconds for which lists with suspensions are cached',
    de: 'Sekunden, für die Listen mit Aussetzungen zwischengespeichert werden',
  },
  suspensionMaxAgeHint: {
    en: 'A shorter time to live of a list applies.',
    de: 'Eine kürzere Lebensdauer einer Liste gilt.',
  },
  deferredIssuance: { en: 'If signing takes too long', de: 'Wenn das Signieren zu lange dauert' },
  never: { en: 'the wallet tries again', de: 'die Wallet versucht es noch einmal' },
  whenSlow: { en: 'the wallet collects the credential later', de: 'die Wallet holt den Nachweis später ab' },
  maxCredentialsPerSession: { en: 'Credentials per sign-in', de: 'Nachweise pro Anmeldung' },
  maxCredentialsHint: {
    en: 'How many a wallet may collect with one access token of the authorization code flow.',
    de: 'Wie viele eine Wallet mit einem Zugriffstoken des Authorization-Code-Flows abholen darf.',
  },
  publicClients: {
    en: 'Unregistered wallets may start a sign-in',
    de: 'Nicht registrierte Wallets dürfen eine Anmeldung beginnen',
  },
  reviewBeforeSignIn: {
    en: 'Show what will be issued before the sign-in',
    de: 'Vor der Anmeldung zeigen, was ausgestellt wird',
  },
  reviewHint: {
    en: 'People confirm or cancel on a page of this service.',
    de: 'Personen bestätigen oder brechen ab, auf einer Seite dieses Dienstes.',
  },
  requestRequired: { en: 'Wallets must encrypt their requests', de: 'Wallets müssen Anfragen verschlüsseln' },
  responseRequired: {
    en: 'Wallets must request encrypted responses',
    de: 'Wallets müssen verschlüsselte Antworten anfordern',
  },
  responseHint: { en: 'Requires encrypted requests.', de: 'Setzt verschlüsselte Anfragen voraus.' },
  logoUrl: { en: 'Logo', de: 'Logo' },
  logoHint: {
    en: 'The address of the logo. The service fetches it, so that visitors of a page contact no other host.',
    de: 'Die Adresse des Logos. Der Dienst ruft es ab, damit Besucher einer Seite keinen anderen Host kontaktieren.',
  },
  backgroundColor: { en: 'Background', de: 'Hintergrund' },
  accentColor: { en: 'Buttons and links', de: 'Schaltflächen und Links' },
  contact: { en: 'Contact', de: 'Kontakt' },
  contactHint: {
    en: 'A page (https:) or an email address (mailto:) where people get help with links.',
    de: 'Eine Seite (https:) oder eine E-Mail-Adresse (mailto:), wo Personen Hilfe zu Links bekommen.',
  },
  walletLinks: { en: 'Wallet apps', de: 'Wallet-Apps' },
  walletLinksHint: {
    en: 'Offer pages recommend these apps to people without a wallet.',
    de: 'Angebotsseiten empfehlen diese Apps Personen ohne Wallet.',
  },
  names: { en: 'Name in other languages', de: 'Name in anderen Sprachen' },
  keyAttestationRoots: {
    en: 'Root certificates for key attestations',
    de: 'Wurzelzertifikate für Schlüsselattestierungen',
  },
  rootsHint: {
    en: 'Certificates in PEM, one after another. They certify the attestations of wallet keys.',
    de: 'Zertifikate in PEM, eines nach dem anderen. Sie beglaubigen die Attestierungen von Wallet-Schlüsseln.',
  },
  credentialsDays: { en: 'Days between rotations: credentials', de: 'Tage zwischen Rotationen: Nachweise' },
  webhooksDays: { en: 'Days between rotations: webhooks', de: 'Tage zwischen Rotationen: Webhooks' },
  tokensDays: { en: 'Days between rotations: tokens', de: 'Tage zwischen Rotationen: Token' },
  encryptionDays: { en: 'Days between rotations: encryption', de: 'Tage zwischen Rotationen: Verschlüsselung' },
  daysHint: { en: 'Empty: only on request.', de: 'Leer: nur auf Anforderung.' },
  lockManagedObjects: {
    en: 'Lock what configuration files manage',
    de: 'Sperren, was Konfigurationsdateien verwalten',
  },
  lockManagedHint: {
    en: 'Then only applying the files changes these objects.',
    de: 'Dann ändert nur das Anwenden der Dateien diese Objekte.',
  },
  testWallet: { en: 'Test wallet in the console', de: 'Test-Wallet in der Konsole' },
  testWalletHint: {
    en: 'Only for production. Elsewhere the console always has one.',
    de: 'Nur für den Produktivbetrieb. Sonst hat die Konsole immer eine.',
  },
  limits: { en: 'Limits', de: 'Grenzen' },
  limitsHint: {
    en: 'Limits that differ from the defaults, named as in the API reference.',
    de: 'Grenzen, die von den Vorgaben abweichen, benannt wie in der API-Referenz.',
  },
  preview: { en: 'Preview of the pages for holders', de: 'Vorschau der Seiten für Inhaber' },
  previewButton: { en: 'Open wallet', de: 'Wallet öffnen' },
  logoLater: {
    en: 'The logo is shown on the host of the tenant.',
    de: 'Das Logo wird auf dem Host des Mandanten angezeigt.',
  },
  unset: { en: 'not set', de: 'nicht gesetzt' },
})
