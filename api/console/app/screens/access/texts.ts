import { texts } from '../../kit/language.ts'

export const accessTexts = texts({
  access: { en: 'Access', de: 'Zugang' },
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
    en: 'Of the program or the person that uses it.',
    de: 'Das Programm oder die Person, die ihn benutzt.',
  },
  ownClient: {
    en: 'You are signed in with this client: what its roles may no longer, you may no longer, at once.',
    de: 'Sie sind mit diesem Client angemeldet: Was seine Rollen nicht mehr dürfen, dürfen Sie sofort auch nicht mehr.',
  },
  newSecret: { en: 'New secret', de: 'Neues Geheimnis' },
  overlap: { en: 'The secret that is replaced is good for', de: 'Das bisherige Geheimnis gilt noch' },
  overlapHint: {
    en: 'Time to give the new one to all who use it.',
    de: 'Zeit, das neue überall einzutragen.',
  },
  oneHour: { en: 'one hour more', de: 'eine Stunde' },
  oneDay: { en: 'one day more', de: 'einen Tag' },
  oneWeek: { en: 'one week more', de: 'eine Woche' },
  notAtAll: { en: 'no longer: it ends now', de: 'nicht mehr: Es endet jetzt' },
  tokenText: {
    en: 'Programs get a token for the id and the secret of a management client. It is good for 24 hours, and is what the lines under “The same from a shell” call $TOKEN.',
    de: 'Programme bekommen für ID und Geheimnis eines Management-Clients ein Token. Es gilt 24 Stunden; die Zeilen unter „Dasselbe in der Shell“ nennen es $TOKEN.',
  },
  tryIt: { en: 'Try it', de: 'Ausprobieren' },
  works: { en: 'It works', de: 'Es funktioniert' },
  worksNot: { en: 'It does not work', de: 'Es funktioniert nicht' },
  passed: { en: 'passed', de: 'bestanden' },
  failed: { en: 'failed', de: 'fehlgeschlagen' },
  unknown: { en: 'not known', de: 'unbekannt' },
  discovery: { en: 'Description (discovery)', de: 'Beschreibung (Discovery)' },
  keys: { en: 'Keys', de: 'Schlüssel' },
  flow: { en: 'Authorization code flow', de: 'Authorization-Code-Flow' },
  client: { en: 'Client id and secret', de: 'Client-ID und Geheimnis' },
  scope: { en: 'Scopes', de: 'Scopes' },
  claim: { en: 'Claims', de: 'Angaben' },
  redirectUrl: { en: 'Redirect URL, to be registered there', de: 'Redirect-URL, dort einzutragen' },
  issuer: { en: 'Issuer', de: 'Issuer' },
  issuerHint: {
    en: 'Its address, such as https://login.example.org: the rest is found there (discovery).',
    de: 'Seine Adresse, etwa https://login.example.org: Alles Weitere steht dort (Discovery).',
  },
  secretStays: {
    en: 'Leave it as it is to keep the one that is stored.',
    de: 'Unverändert bleibt das gespeicherte.',
  },
  authMethod: { en: 'How the secret is sent', de: 'Wie das Geheimnis gesendet wird' },
  scopes: { en: 'Scopes, one in a line', de: 'Scopes, je Zeile einer' },
  scopesHint: { en: 'openid has to be among them.', de: 'openid muss dabei sein.' },
  persisted: {
    en: 'Claims that the user keeps, one in a line',
    de: 'Angaben, die bei der Person gespeichert bleiben, je Zeile eine',
  },
  forwarded: {
    en: 'Parameters of wallets that are passed on, one in a line',
    de: 'Parameter der Wallets, die weitergereicht werden, je Zeile einer',
  },
  fixed: { en: 'Parameters that are always sent (JSON)', de: 'Parameter, die immer gesendet werden (JSON)' },
  holdersAbout: {
    en: 'Where people sign in before they get a credential that is for them: an OpenID Connect provider of yours.',
    de: 'Hier melden sich Menschen an, bevor sie ihren Nachweis bekommen: bei Ihrem OpenID-Connect-Anbieter.',
  },
  operatorsAbout: {
    en: 'Where your colleagues sign in at this console, and which of their groups has which roles here.',
    de: 'Der Anbieter, bei dem sich Ihre Kolleginnen und Kollegen für diese Konsole anmelden. Aus ihren Gruppen dort folgen die Rollen hier.',
  },
  noProvider: {
    en: 'There is no provider yet. One needs a client there, with the redirect URL that is shown.',
    de: 'Noch kein Anbieter. Legen Sie dort einen Client mit der angezeigten Redirect-URL an.',
  },
  setUp: { en: 'Set up', de: 'Einrichten' },
  deleteProvider: { en: 'Delete this provider?', de: 'Diesen Anbieter löschen?' },
  deleteHolders: {
    en: 'Nobody can sign in there any more. It stays as long as users sign in there.',
    de: 'Niemand kann sich dort mehr anmelden. Er bleibt, solange sich Personen dort anmelden.',
  },
  deleteOperators: {
    en: 'Nobody can sign in there any more, and those who did are signed out now.',
    de: 'Niemand kann sich dort mehr anmelden, und wer es getan hat, wird jetzt abgemeldet.',
  },
  providerName: { en: 'Name of the button', de: 'Name der Schaltfläche' },
  providerNameHint: { en: 'Shown as “Sign in with …”.', de: 'Steht als „Mit … anmelden“ da.' },
  rolesClaim: { en: 'Claim that gives roles', de: 'Angabe, aus der Rollen folgen' },
  rolesClaimHint: {
    en: 'Its name, such as groups, or a path such as realm_access.roles.',
    de: 'Ihr Name, etwa groups, oder ein Pfad, etwa realm_access.roles.',
  },
  userClaim: { en: 'Claim that names the person', de: 'Angabe, die die Person benennt' },
  userClaimHint: {
    en: 'By it events and the audit name them, for good. sub tells nobody who it is.',
    de: 'So heißt die Person dauerhaft in Ereignissen und im Audit. sub verrät niemandem, wer es ist.',
  },
  valuesFor: {
    en: 'Values of the claim that give this role, one in a line.',
    de: 'Werte der Angabe, die diese Rolle geben, je Zeile einer.',
  },
  endsSessions: {
    en: 'A change of issuer, client, claims or roles signs out all who signed in there.',
    de: 'Wer sich dort angemeldet hat, wird abgemeldet, wenn sich Issuer, Client, Angaben oder Rollen ändern.',
  },
  address: { en: 'Address', de: 'Adresse' },
  hookAbout: {
    en: 'A page or an app of yours that people pass after they have signed in, before they get their credential.',
    de: 'Eine Seite oder App von Ihnen, über die Menschen nach der Anmeldung gehen, bevor sie ihren Nachweis bekommen.',
  },
  hookClaims: { en: 'Claims that it is told, one in a line', de: 'Angaben, die er erfährt, je Zeile eine' },
  hookTimeout: { en: 'Seconds that a person has for it', de: 'Sekunden, die eine Person dafür hat' },
  hookDisabled: { en: 'Disabled: people are not sent there', de: 'Abgeschaltet: Niemand wird dorthin geschickt' },
  hookSecret: { en: 'Secret of the session tokens (HS256)', de: 'Geheimnis der Session-Token (HS256)' },
  hide: { en: 'Hide', de: 'Verbergen' },
  renewText: {
    en: 'The present secret is good no more, at once: whoever is at the component begins again.',
    de: 'Das bisherige Geheimnis gilt sofort nicht mehr: Wer gerade dort ist, beginnt von vorn.',
  },
  sourceKind: { en: 'How the source knows who asks', de: 'Woran die Quelle erkennt, wer fragt' },
  apiKey: { en: 'A key in the header x-api-key', de: 'Ein Schlüssel im Header x-api-key' },
  clientCredentials: { en: 'An access token (OAuth 2.0)', de: 'Ein Zugriffstoken (OAuth 2.0)' },
  key: { en: 'Key', de: 'Schlüssel' },
  tokenUrl: { en: 'Token endpoint', de: 'Token-Endpunkt' },
  oneScope: { en: 'Scope', de: 'Scope' },
  method: { en: 'Asked with', de: 'Gefragt mit' },
  parameters: { en: 'What it is told (JSON)', de: 'Was sie erfährt (JSON)' },
  parametersHint: {
    en: 'Such as {"email": {"mapFrom": "claims.email"}}.',
    de: 'Etwa {"email": {"mapFrom": "claims.email"}}.',
  },
  sample: { en: 'Claims of a person, for the try (JSON)', de: 'Angaben zu einer Person, zum Ausprobieren (JSON)' },
  answered: { en: 'What it answered', de: 'Was sie antwortete' },
  redirectUris: { en: 'Redirect URIs, one in a line', de: 'Redirect-URIs, je Zeile eine' },
  dpop: { en: 'It has to prove a key (DPoP)', de: 'Sie muss einen Schlüssel nachweisen (DPoP)' },
  attested: { en: 'Its instances have to be attested', de: 'Ihre Instanzen müssen attestiert sein' },
  attestedDpop: {
    en: 'The attested key has to be the DPoP key',
    de: 'Der attestierte Schlüssel muss der DPoP-Schlüssel sein',
  },
  roots: { en: 'Roots of the attestation (PEM)', de: 'Wurzeln der Attestierung (PEM)' },
  rootsHint: { en: 'Certificates, one after another.', de: 'Zertifikate, eines nach dem anderen.' },
  generatedIfEmpty: { en: 'Made up when it is left empty.', de: 'Wird vergeben, wenn das Feld leer bleibt.' },
  certificate: { en: 'Certificate (PEM)', de: 'Zertifikat (PEM)' },
  validUntil: { en: 'Valid until', de: 'Gültig bis' },
})

export const clientTexts = texts({
  title: { en: 'Management clients', de: 'Management-Clients' },
  about: {
    en: 'Programs that call the API, and whoever signs in here by id and secret.',
    de: 'Programme, die die API aufrufen, und wer sich hier mit ID und Geheimnis anmeldet.',
  },
  create: { en: 'New client', de: 'Neuer Client' },
  empty: { en: 'No client yet.', de: 'Noch kein Client.' },
  deleteTitle: { en: 'Delete this client?', de: 'Diesen Client löschen?' },
  deleteText: {
    en: 'Its tokens stop working at once, and who is signed in with it is signed out.',
    de: 'Seine Token gelten sofort nicht mehr, und wer damit angemeldet ist, wird abgemeldet.',
  },
})

export const sourceTexts = texts({
  title: { en: 'Claim sources', de: 'Datenquellen' },
  about: {
    en: 'Systems of yours that are asked for claims while a credential is issued.',
    de: 'Ihre Systeme, die bei der Ausstellung nach Angaben gefragt werden.',
  },
  create: { en: 'New claim source', de: 'Neue Datenquelle' },
  empty: { en: 'No claim source yet.', de: 'Noch keine Datenquelle.' },
  deleteTitle: { en: 'Delete this claim source?', de: 'Diese Datenquelle löschen?' },
  deleteText: {
    en: 'It stays as long as a credential configuration names it.',
    de: 'Sie bleibt, solange eine Konfiguration sie nennt.',
  },
})

export const walletTexts = texts({
  title: { en: 'Registered wallets', de: 'Registrierte Wallets' },
  about: {
    en: 'OAuth clients: wallets that may ask for a code after people have signed in.',
    de: 'OAuth-Clients: Wallets, die nach einer Anmeldung einen Code bekommen dürfen.',
  },
  create: { en: 'Register a wallet', de: 'Wallet registrieren' },
  empty: { en: 'No wallet is registered yet.', de: 'Noch ist keine Wallet registriert.' },
  deleteTitle: { en: 'Forget this wallet?', de: 'Diese Wallet entfernen?' },
  deleteText: {
    en: 'Its codes and tokens end at once.',
    de: 'Ihre Codes und Token gelten sofort nicht mehr.',
  },
})

export const walletProviderTexts = texts({
  title: { en: 'Wallet providers', de: 'Wallet-Anbieter' },
  about: {
    en: 'Every wallet that is attested under one of these roots is admitted, without being registered.',
    de: 'Jede Wallet, die unter einer dieser Wurzeln attestiert ist, wird ohne Registrierung zugelassen.',
  },
  create: { en: 'Admit a provider', de: 'Anbieter zulassen' },
  empty: { en: 'No provider is admitted yet.', de: 'Noch ist kein Anbieter zugelassen.' },
  deleteTitle: { en: 'Admit this provider no longer?', de: 'Diesen Anbieter nicht mehr zulassen?' },
  deleteText: {
    en: 'Its wallets get no new tokens. Tokens that they have are good until they end.',
    de: 'Seine Wallets bekommen keine neuen Token. Vorhandene gelten bis zu ihrem Ende.',
  },
})

/** The checks of a wallet attestation. */
export const attestationTexts = texts({
  attestation: { en: 'Attestation of a wallet (JWT)', de: 'Bescheinigung einer Wallet (JWT)' },
  attestationHint: {
    en: 'What the wallet sends in the header OAuth-Client-Attestation. It is checked as at the token endpoint, and not kept.',
    de: 'Was die Wallet im Header OAuth-Client-Attestation sendet. Es wird wie am Token-Endpunkt geprüft und nicht aufbewahrt.',
  },
  clientIdHint: {
    en: 'As the wallet sends it; empty where it leaves that to its attestation.',
    de: 'Wie die Wallet sie sendet; leer, wenn sie das ihrer Bescheinigung überlässt.',
  },
  roots: { en: 'Certificates that count', de: 'Zertifikate, die gelten' },
  form: { en: 'Form', de: 'Form' },
  chain: { en: 'Certificate of who attests', de: 'Zertifikat des Ausstellers' },
  signature: { en: 'Signature', de: 'Signatur' },
  times: { en: 'Validity', de: 'Gültigkeit' },
  client: { en: 'Client', de: 'Client' },
  key: { en: 'Key of the wallet', de: 'Schlüssel der Wallet' },
  possession: { en: 'Proof of the key', de: 'Nachweis des Schlüssels' },
})
