import type { Schemas } from '../../kit/api.ts'
import { type Text, texts } from '../../kit/language.ts'

export const searchTexts = texts({
  title: { en: 'Search', de: 'Suche' },
  what: {
    en: 'Id, label, name, type, serial number or the reference of a page',
    de: 'ID, Kennzeichen, Name, Typ, Seriennummer oder die Referenz einer Seite',
  },
  results: { en: 'Results', de: 'Treffer' },
  count: { en: 'Results: {count}', de: 'Treffer: {count}' },
  none: {
    en: 'Nothing was found. The search compares no claims.',
    de: 'Nichts gefunden. Angaben zu Personen werden nicht verglichen.',
  },
})

export const kindTexts: Record<Schemas['SearchedKind'], Text> = {
  user: { en: 'User', de: 'Person' },
  offer: { en: 'Offer', de: 'Angebot' },
  credential: { en: 'Credential', de: 'Nachweis' },
  configuration: { en: 'Configuration', de: 'Konfiguration' },
  'bulk-issuance': { en: 'Bulk issuance', de: 'Sammelausstellung' },
  certificate: { en: 'Certificate', de: 'Zertifikat' },
  'ecosystem-certificate': { en: 'Certificate of an ecosystem', de: 'Zertifikat eines Ökosystems' },
  'trusted-issuer': { en: 'Trusted issuer', de: 'Vertrauenswürdiger Aussteller' },
  ecosystem: { en: 'Ecosystem', de: 'Ökosystem' },
  participant: { en: 'Participant', de: 'Teilnehmer' },
  webhook: { en: 'Webhook', de: 'Webhook' },
  client: { en: 'Management client', de: 'Management-Client' },
  request: { en: 'Request', de: 'Anfrage' },
}
