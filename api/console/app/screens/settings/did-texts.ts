import { texts } from '../../kit/language.ts'

export const didTexts = texts({
  empty: { en: 'No DID.', de: 'Keine DID.' },
  keys: { en: 'Keys', de: 'Schlüssel' },
  made: { en: 'Created', de: 'Angelegt' },
  document: { en: 'Document', de: 'Dokument' },
  create: { en: 'New DID', de: 'Neue DID' },
  kind: { en: 'Method and key', de: 'Methode und Schlüssel' },
  domain: { en: 'Domain', de: 'Domain' },
  domainHint: {
    en: 'Only for did:web. You publish the document at its /.well-known/did.json.',
    de: 'Nur für did:web. Sie veröffentlichen das Dokument dort unter /.well-known/did.json.',
  },
  deleteTitle: { en: 'Delete this DID with its keys?', de: 'Diese DID mit ihren Schlüsseln löschen?' },
  deleteText: {
    en: 'Its keys are lost. Messages to it cannot be decrypted. A DID that signs revocation lists cannot be deleted.',
    de: 'Ihre Schlüssel gehen verloren. Nachrichten an sie können nicht entschlüsselt werden. Eine DID, die Sperrlisten signiert, kann nicht gelöscht werden.',
  },
  deleteWord: { en: 'delete', de: 'löschen' },
  own: { en: 'the tenant’s own', de: 'die eigene des Mandanten' },
})

export const contextTexts = texts({
  title: { en: 'JSON-LD contexts', de: 'JSON-LD-Kontexte' },
  about: {
    en: 'Contexts of your own for web semantic credentials. The service fetches no context from the web.',
    de: 'Eigene Kontexte für Web-Semantic-Nachweise. Der Dienst lädt keine Kontexte aus dem Netz.',
  },
  create: { en: 'New context', de: 'Neuer Kontext' },
  empty: { en: 'No context of your own yet.', de: 'Noch kein eigener Kontext.' },
  deleteTitle: { en: 'Delete this context?', de: 'Diesen Kontext löschen?' },
  deleteText: {
    en: 'A context that a configuration uses cannot be deleted.',
    de: 'Ein Kontext, den eine Konfiguration verwendet, kann nicht gelöscht werden.',
  },
  url: { en: 'Address', de: 'Adresse' },
  document: { en: 'Document', de: 'Dokument' },
  documentHint: {
    en: 'The JSON document that you publish at the address.',
    de: 'Das JSON-Dokument, das Sie unter der Adresse veröffentlichen.',
  },
})
