import { texts } from '../../kit/language.ts'

export const inboxesTexts = texts({
  title: { en: 'Inboxes', de: 'Postfächer' },
  about: {
    en: 'An inbox receives the encrypted messages to its DIDs.',
    de: 'Ein Postfach empfängt die verschlüsselten Nachrichten an seine DIDs.',
  },
  create: { en: 'New inbox', de: 'Neues Postfach' },
  empty: { en: 'No inbox yet.', de: 'Noch kein Postfach.' },
  deleteTitle: { en: 'Delete this inbox?', de: 'Dieses Postfach löschen?' },
  deleteText: {
    en: 'Its messages are deleted too. Its DIDs are free at once.',
    de: 'Seine Nachrichten werden mitgelöscht. Seine DIDs sind sofort frei.',
  },
})

export const inboxTexts = texts({
  inbox: { en: 'Inbox', de: 'Postfach' },
  dids: { en: 'DIDs of the inbox', de: 'DIDs des Postfachs' },
  noDids: { en: 'No DID is registered yet.', de: 'Noch ist keine DID registriert.' },
  register: { en: 'Register a DID', de: 'DID registrieren' },
  did: { en: 'DID', de: 'DID' },
  jwt: { en: 'Proof of a foreign DID (JWT)', de: 'Beweis einer fremden DID (JWT)' },
  jwtHint: {
    en: 'Only for a DID whose keys this service does not store. Signed with a key of the DID.',
    de: 'Nur für eine DID, deren Schlüssel dieser Dienst nicht hat. Signiert mit einem Schlüssel der DID.',
  },
  unregister: { en: 'Remove', de: 'Entfernen' },
  unregisterTitle: { en: 'Remove this DID?', de: 'Diese DID entfernen?' },
  unregisterText: {
    en: 'The inbox receives no more messages to it.',
    de: 'Das Postfach empfängt keine Nachrichten mehr an sie.',
  },
  messages: { en: 'Messages', de: 'Nachrichten' },
  noMessages: { en: 'No message yet.', de: 'Noch keine Nachricht.' },
  arrived: { en: 'Arrived', de: 'Eingegangen' },
  to: { en: 'To', de: 'An' },
  read: { en: 'Decrypt', de: 'Entschlüsseln' },
  sender: { en: 'Sender', de: 'Absender' },
  mismatch: {
    en: 'The message names another sender than the key that encrypted it.',
    de: 'Die Nachricht nennt einen anderen Absender als der Schlüssel, der sie verschlüsselt hat.',
  },
  deleteTitle: { en: 'Delete this message?', de: 'Diese Nachricht löschen?' },
  deleteText: { en: 'It cannot be read again.', de: 'Sie kann nicht mehr gelesen werden.' },
})

export const sendTexts = texts({
  send: { en: 'Send', de: 'Senden' },
  about: {
    en: 'The service encrypts the message for the recipients and sends it to their inboxes, or to the addresses in their DID documents.',
    de: 'Der Dienst verschlüsselt die Nachricht für die Empfänger und sendet sie an deren Postfächer oder an die Adressen in ihren DID-Dokumenten.',
  },
  sender: { en: 'Sender', de: 'Absender' },
  recipients: { en: 'Recipients', de: 'Empfänger' },
  recipientsHint: { en: 'One DID per line', de: 'Eine DID pro Zeile' },
  type: { en: 'Type of the message', de: 'Typ der Nachricht' },
  body: { en: 'Content', de: 'Inhalt' },
  sent: { en: 'The message was sent.', de: 'Die Nachricht wurde gesendet.' },
  signatures: { en: 'Signatures', de: 'Signaturen' },
  sign: { en: 'Sign', de: 'Signieren' },
  signPayload: { en: 'Sign a payload', de: 'Eine Payload signieren' },
  payload: { en: 'Payload', de: 'Payload' },
  key: { en: 'DID', de: 'DID' },
  keyHint: { en: 'A DID with an Ed25519 key', de: 'Eine DID mit Ed25519-Schlüssel' },
  verify: { en: 'Verify', de: 'Prüfen' },
  verifySignature: { en: 'Verify a signature', de: 'Eine Signatur prüfen' },
  jws: { en: 'Signed payload (JWS)', de: 'Signierte Payload (JWS)' },
  verified: { en: 'verified', de: 'gültig' },
  notVerified: { en: 'not verified', de: 'nicht gültig' },
  signer: { en: 'Signer', de: 'Signiert von' },
})
