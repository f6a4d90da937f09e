import { texts } from '../../kit/language.ts'

export const accessTexts = texts({
  access: { en: 'Access', de: 'Zugang' },
  ofOperators: { en: 'Operators', de: 'Betrieb' },
  ofHolders: { en: 'Holders and wallets', de: 'Inhaber und Wallets' },
  ofSystems: { en: 'Your systems', de: 'Ihre Systeme' },
  clients: { en: 'Management clients', de: 'Management-Clients' },
  operators: { en: 'Sign-in of operators', de: 'Anmeldung an der Konsole' },
  holders: { en: 'Sign-in of holders', de: 'Anmeldung der Inhaber' },
  claimSources: { en: 'Claim sources', de: 'Datenquellen' },
  hook: { en: 'Interaction hook', de: 'Interaktions-Hook' },
  wallets: { en: 'Wallets', de: 'Wallets' },
  walletProviders: { en: 'Wallet providers', de: 'Wallet-Anbieter' },
  token: { en: 'Management token', de: 'Management-Token' },
  you: { en: 'you', de: 'Sie' },
  roles: { en: 'Roles', de: 'Rollen' },
  clientId: { en: 'Client id', de: 'Client-ID' },
  clientSecret: { en: 'Client secret', de: 'Client-Geheimnis' },
  clientNameHint: {
    en: 'The name of the program or person that uses it.',
    de: 'Der Name des Programms oder der Person, die ihn benutzt.',
  },
  ownClient: {
    en: 'You are signed in with this client. If you remove a role, you lose its permissions at once.',
    de: 'Sie sind mit diesem Client angemeldet. Wenn Sie eine Rolle entfernen, verlieren Sie deren Rechte sofort.',
  },
  newSecret: { en: 'New secret', de: 'Neues Geheimnis' },
  overlap: { en: 'The old secret stays valid for', de: 'Das bisherige Geheimnis gilt noch' },
  overlapHint: {
    en: 'Time to replace the secret everywhere.',
    de: 'Zeit, das Geheimnis überall zu ersetzen.',
  },
  oneHour: { en: 'one hour', de: 'eine Stunde' },
  oneDay: { en: 'one day', de: 'einen Tag' },
  oneWeek: { en: 'one week', de: 'eine Woche' },
  notAtAll: { en: 'no time: it becomes invalid at once', de: 'gar nicht: Es wird sofort ungültig' },
  tokenText: {
    en: 'Programs get a token for the id and the secret of a management client. It is valid for 24 hours. In shell commands of this console it is $TOKEN.',
    de: 'Programme bekommen für ID und Geheimnis eines Management-Clients ein Token. Es gilt 24 Stunden. In den Shell-Befehlen dieser Konsole steht es als $TOKEN.',
  },
  tryIt: { en: 'Try it', de: 'Ausprobieren' },
  works: { en: 'It works', de: 'Es funktioniert' },
  worksNot: { en: 'It does not work', de: 'Es funktioniert nicht' },
  passed: { en: 'passed', de: 'bestanden' },
  failed: { en: 'failed', de: 'fehlgeschlagen' },
  unknown: { en: 'unknown', de: 'unbekannt' },
  discovery: { en: 'Description (discovery)', de: 'Beschreibung (Discovery)' },
  keys: { en: 'Keys', de: 'Schlüssel' },
  flow: { en: 'Authorization code flow', de: 'Authorization-Code-Flow' },
  client: { en: 'Client id and secret', de: 'Client-ID und Geheimnis' },
  scope: { en: 'Scopes', de: 'Scopes' },
  claim: { en: 'Claims', de: 'Angaben' },
  redirectUrl: { en: 'Redirect URL to register at the provider', de: 'Redirect-URL, beim Anbieter einzutragen' },
  issuer: { en: 'Issuer', de: 'Issuer' },
  issuerHint: {
    en: 'The address of the provider, such as https://login.example.org. The service reads all other settings there (discovery).',
    de: 'Die Adresse des Anbieters, etwa https://login.example.org. Alle weiteren Einstellungen liest der Dienst dort (Discovery).',
  },
  secretStays: {
    en: 'Leave this unchanged to keep the stored secret.',
    de: 'Lassen Sie das Feld unverändert, um das gespeicherte Geheimnis zu behalten.',
  },
  authMethod: { en: 'How this service authenticates', de: 'Wie sich dieser Dienst ausweist' },
  authMethodHint: {
    en: 'With private_key_jwt leave the secret empty. The service signs with its own key.',
    de: 'Bei private_key_jwt bleibt das Geheimnis leer. Der Dienst signiert mit einem eigenen Schlüssel.',
  },
  audience: { en: 'Audience of signed assertions', de: 'Empfänger der signierten Nachweise' },
  audienceHint: {
    en: 'Only for private_key_jwt. The provider says which one it requires.',
    de: 'Nur für private_key_jwt. Der Anbieter sagt, welchen er verlangt.',
  },
  jwksUrl: { en: 'Key set URL to register at the provider', de: 'URL der Schlüssel, beim Anbieter einzutragen' },
  scopes: { en: 'Scopes, one per line', de: 'Scopes, je Zeile einer' },
  scopesHint: { en: 'openid is required.', de: 'openid ist erforderlich.' },
  persisted: {
    en: 'Claims to store with the user, one per line',
    de: 'Angaben, die bei der Person gespeichert bleiben, je Zeile eine',
  },
  forwarded: {
    en: 'Wallet parameters to pass on, one per line',
    de: 'Parameter der Wallets, die weitergereicht werden, je Zeile einer',
  },
  fixed: { en: 'Parameters that are always sent (JSON)', de: 'Parameter, die immer gesendet werden (JSON)' },
  holdersAbout: {
    en: 'People sign in at your OpenID Connect provider before they get their credential.',
    de: 'Personen melden sich bei Ihrem OpenID-Connect-Anbieter an, bevor sie ihren Nachweis bekommen.',
  },
  operatorsAbout: {
    en: 'Your colleagues sign in to this console at this provider. Their groups there give them roles here.',
    de: 'Ihre Kolleginnen und Kollegen melden sich bei diesem Anbieter an der Konsole an. Ihre Gruppen dort bestimmen ihre Rollen hier.',
  },
  noProvider: {
    en: 'No provider yet. Create a client at your provider with this redirect URL.',
    de: 'Noch kein Anbieter. Legen Sie bei Ihrem Anbieter einen Client mit dieser Redirect-URL an.',
  },
  setUp: { en: 'Set up', de: 'Einrichten' },
  deleteProvider: { en: 'Delete this provider?', de: 'Diesen Anbieter löschen?' },
  deleteHolders: {
    en: 'Holders can no longer sign in there. A provider at which users are registered cannot be deleted.',
    de: 'Inhaber können sich dort nicht mehr anmelden. Ein Anbieter, bei dem Personen registriert sind, kann nicht gelöscht werden.',
  },
  deleteOperators: {
    en: 'Operators can no longer sign in there. Operators who signed in there are signed out at once.',
    de: 'Dort ist keine Anmeldung mehr möglich. Wer sich dort angemeldet hat, wird sofort abgemeldet.',
  },
  providerName: { en: 'Name on the button', de: 'Name auf der Schaltfläche' },
  providerNameHint: { en: 'Shown as “Sign in with …”.', de: 'Wird als „Mit … anmelden“ angezeigt.' },
  rolesClaim: { en: 'Claim that contains the roles', de: 'Angabe, die die Rollen enthält' },
  rolesClaimHint: {
    en: 'Its name, such as groups, or a path such as realm_access.roles.',
    de: 'Ihr Name, etwa groups, oder ein Pfad, etwa realm_access.roles.',
  },
  userClaim: { en: 'Claim that identifies the person', de: 'Angabe, die die Person identifiziert' },
  userClaimHint: {
    en: 'Events and the audit name the person by this value permanently. sub does not reveal the identity.',
    de: 'Ereignisse und Audit nennen die Person dauerhaft mit diesem Wert. sub verrät die Identität nicht.',
  },
  claimValue: { en: 'Value of the claim', de: 'Wert der Angabe' },
  valuesFor: { en: 'Values of the claim, one per line', de: 'Werte der Angabe, je Zeile einer' },
  endsSessions: {
    en: 'A change of issuer, client, claims or roles signs out all users of this provider.',
    de: 'Eine Änderung von Issuer, Client, Angaben oder Rollen meldet alle Personen ab, die sich bei diesem Anbieter angemeldet haben.',
  },
  address: { en: 'Address', de: 'Adresse' },
  hookAbout: {
    en: 'Your page or app that people visit after signing in and before they get their credential.',
    de: 'Ihre Seite oder App, die Personen nach der Anmeldung besuchen, bevor sie ihren Nachweis bekommen.',
  },
  hookClaims: { en: 'Claims to send to it, one per line', de: 'Angaben, die an ihn gesendet werden, je Zeile eine' },
  hookTimeout: { en: 'Seconds that a person has to complete it', de: 'Sekunden, die eine Person dafür hat' },
  hookDisabled: {
    en: 'Disabled: people are not sent there',
    de: 'Deaktiviert: Personen werden nicht dorthin geleitet',
  },
  hookSecret: { en: 'Secret of the session tokens (HS256)', de: 'Geheimnis der Session-Token (HS256)' },
  hide: { en: 'Hide', de: 'Verbergen' },
  renewText: {
    en: 'The current secret becomes invalid at once. People who are visiting the page or app must start again.',
    de: 'Das bisherige Geheimnis wird sofort ungültig. Wer die Seite oder App gerade besucht, muss von vorn beginnen.',
  },
  sourceKind: { en: 'How the source authenticates the service', de: 'Wie sich der Dienst bei der Quelle ausweist' },
  apiKey: { en: 'A key in the header x-api-key', de: 'Ein Schlüssel im Header x-api-key' },
  clientCredentials: { en: 'An access token (OAuth 2.0)', de: 'Ein Zugriffstoken (OAuth 2.0)' },
  key: { en: 'Key', de: 'Schlüssel' },
  tokenUrl: { en: 'Token endpoint', de: 'Token-Endpunkt' },
  oneScope: { en: 'Scope', de: 'Scope' },
  method: { en: 'Request method', de: 'Anfragemethode' },
  onFailure: { en: 'If the source fails', de: 'Wenn die Quelle ausfällt' },
  onFailureHint: {
    en: 'An error status, no JSON object, or no answer within three seconds.',
    de: 'Ein Fehlerstatus, kein JSON-Objekt oder keine Antwort innerhalb von drei Sekunden.',
  },
  refuseOnFailure: {
    en: 'Refuse the credential unless its claims have another source',
    de: 'Den Nachweis ablehnen, wenn seine Angaben keine andere Quelle haben',
  },
  issueOnFailure: {
    en: 'Issue without its claims, unless they are required',
    de: 'Ohne ihre Angaben ausstellen, wenn sie nicht erforderlich sind',
  },
  parameters: { en: 'Parameters to send (JSON)', de: 'Gesendete Parameter (JSON)' },
  parametersHint: {
    en: 'Such as {"email": {"mapFrom": "claims.email"}}.',
    de: 'Etwa {"email": {"mapFrom": "claims.email"}}.',
  },
  sample: { en: 'Claims of a person for the test (JSON)', de: 'Angaben zu einer Person für den Test (JSON)' },
  answered: { en: 'Response of the source', de: 'Antwort der Quelle' },
  redirectUris: { en: 'Redirect URIs, one per line', de: 'Redirect-URIs, je Zeile eine' },
  dpop: {
    en: 'The wallet must prove that it has a key (DPoP)',
    de: 'Die Wallet muss einen Schlüssel nachweisen (DPoP)',
  },
  attested: { en: 'Its instances must be attested', de: 'Ihre Instanzen müssen attestiert sein' },
  attestedDpop: {
    en: 'The attested key must be the DPoP key',
    de: 'Der attestierte Schlüssel muss der DPoP-Schlüssel sein',
  },
  roots: { en: 'Root certificates of the attestation (PEM)', de: 'Wurzelzertifikate der Attestierung (PEM)' },
  rootsHint: { en: 'Certificates, one after another.', de: 'Zertifikate, eines nach dem anderen.' },
  generatedIfEmpty: { en: 'Generated if empty.', de: 'Wird vergeben, wenn das Feld leer bleibt.' },
  certificate: { en: 'Certificate (PEM)', de: 'Zertifikat (PEM)' },
  validUntil: { en: 'Valid until', de: 'Gültig bis' },
})

export const clientTexts = texts({
  title: { en: 'Management clients', de: 'Management-Clients' },
  about: {
    en: 'Programs that call the API, and people who sign in here with id and secret.',
    de: 'Programme, die die API aufrufen, und Personen, die sich hier mit ID und Geheimnis anmelden.',
  },
  create: { en: 'New client', de: 'Neuer Client' },
  empty: { en: 'No client yet.', de: 'Noch kein Client.' },
  deleteTitle: { en: 'Delete this client?', de: 'Diesen Client löschen?' },
  deleteText: {
    en: 'Its tokens become invalid at once. Users who signed in with it are signed out.',
    de: 'Seine Token werden sofort ungültig. Wer damit angemeldet ist, wird abgemeldet.',
  },
})

export const sourceTexts = texts({
  title: { en: 'Claim sources', de: 'Datenquellen' },
  about: {
    en: 'The service requests claims from these systems when it issues a credential.',
    de: 'Von diesen Systemen ruft der Dienst bei der Ausstellung Angaben ab.',
  },
  create: { en: 'New claim source', de: 'Neue Datenquelle' },
  empty: { en: 'No claim source yet.', de: 'Noch keine Datenquelle.' },
  deleteTitle: { en: 'Delete this claim source?', de: 'Diese Datenquelle löschen?' },
  deleteText: {
    en: 'A claim source that a credential configuration uses cannot be deleted.',
    de: 'Eine Datenquelle, die eine Konfiguration verwendet, kann nicht gelöscht werden.',
  },
})

export const walletTexts = texts({
  title: { en: 'Registered wallets', de: 'Registrierte Wallets' },
  about: {
    en: 'OAuth clients: wallets that may use the authorization code flow.',
    de: 'OAuth-Clients: Wallets, die den Authorization-Code-Flow verwenden dürfen.',
  },
  create: { en: 'Register a wallet', de: 'Wallet registrieren' },
  empty: { en: 'No wallet is registered yet.', de: 'Noch ist keine Wallet registriert.' },
  deleteTitle: { en: 'Delete this wallet?', de: 'Diese Wallet löschen?' },
  deleteText: {
    en: 'Its codes and tokens become invalid at once.',
    de: 'Ihre Codes und Token werden sofort ungültig.',
  },
})

export const walletProviderTexts = texts({
  title: { en: 'Wallet providers', de: 'Wallet-Anbieter' },
  about: {
    en: 'Every wallet that is attested under one of these root certificates is accepted without registration.',
    de: 'Jede Wallet, die unter einem dieser Wurzelzertifikate attestiert ist, wird ohne Registrierung akzeptiert.',
  },
  create: { en: 'Add a provider', de: 'Anbieter hinzufügen' },
  empty: { en: 'No provider yet.', de: 'Noch kein Anbieter.' },
  deleteTitle: { en: 'Delete this provider?', de: 'Diesen Anbieter löschen?' },
  deleteText: {
    en: 'Its wallets get no new tokens. Existing tokens stay valid until they expire.',
    de: 'Seine Wallets bekommen keine neuen Token. Vorhandene Token gelten, bis sie ablaufen.',
  },
})

/** The checks of a wallet attestation. */
export const attestationTexts = texts({
  attestation: { en: 'Attestation of a wallet (JWT)', de: 'Attestierung einer Wallet (JWT)' },
  attestationHint: {
    en: 'The value of the header OAuth-Client-Attestation. The service checks it like the token endpoint and does not store it.',
    de: 'Der Wert des Headers OAuth-Client-Attestation. Der Dienst prüft ihn wie am Token-Endpunkt und speichert ihn nicht.',
  },
  clientIdHint: {
    en: 'The value that the wallet sends. Leave this empty if only the attestation has it.',
    de: 'Der Wert, den die Wallet sendet. Lassen Sie das Feld leer, wenn er nur in der Attestierung steht.',
  },
  roots: { en: 'Accepted root certificates', de: 'Akzeptierte Wurzelzertifikate' },
  form: { en: 'Format', de: 'Format' },
  chain: { en: 'Certificate of the attester', de: 'Zertifikat des Ausstellers' },
  signature: { en: 'Signature', de: 'Signatur' },
  times: { en: 'Validity', de: 'Gültigkeit' },
  client: { en: 'Client', de: 'Client' },
  key: { en: 'Key of the wallet', de: 'Schlüssel der Wallet' },
  possession: { en: 'Proof of the key', de: 'Nachweis des Schlüssels' },
})
