import { texts } from '../../../kit/language.ts'

export const policyTexts = texts({
  general: { en: 'General policy', de: 'Allgemeine Richtlinie' },
  issuer: { en: 'Issuer policy', de: 'Ausstellerrichtlinie' },
  verifier: { en: 'Verifier policy', de: 'Prüfstellenrichtlinie' },
  generalWhat: {
    en: 'Which participants may issue and verify which types. Only one is published at a time.',
    de: 'Welche Teilnehmer welche Arten ausstellen und prüfen dürfen. Es ist immer nur eine veröffentlicht.',
  },
  issuerWhat: {
    en: 'Which issuers of mobile credentials are trusted, and by which certificates.',
    de: 'Welchen Ausstellern mobiler Nachweise vertraut wird, und anhand welcher Zertifikate.',
  },
  verifierWhat: {
    en: 'Which verifiers of mobile credentials are trusted, and by which certificates. Each publication of a RICAL publishes such a policy too.',
    de: 'Welchen Prüfstellen mobiler Nachweise vertraut wird, und anhand welcher Zertifikate. Mit jeder RICAL wird auch eine solche Richtlinie veröffentlicht.',
  },
  which: { en: 'Policy', de: 'Richtlinie' },
  publish: { en: 'Publish now', de: 'Jetzt veröffentlichen' },
  published: { en: 'The policy was published.', de: 'Die Richtlinie wurde veröffentlicht.' },
  none: { en: 'None is published yet.', de: 'Noch ist keine veröffentlicht.' },
  publishedAt: { en: 'Published', de: 'Veröffentlicht' },
  sameAsNow: { en: 'matches the ecosystem', de: 'entspricht dem Ökosystem' },
  differs: { en: 'the ecosystem has changed since', de: 'das Ökosystem wurde seither geändert' },
  version: { en: 'Version (ETag)', de: 'Version (ETag)' },
  participants: { en: 'Participants', de: 'Teilnehmer' },
  content: { en: 'Content', de: 'Inhalt' },
  preview: { en: 'As it would be published now', de: 'Wie sie jetzt veröffentlicht würde' },
  byId: { en: 'A policy by its id', de: 'Eine Richtlinie nach ihrer ID' },
  latestAt: { en: 'Latest policy, public', de: 'Neueste Richtlinie, öffentlich' },
  thisAt: { en: 'This policy, public', de: 'Diese Richtlinie, öffentlich' },
  deleteWhat: {
    en: 'This cannot be undone. The newest remaining policy becomes the latest.',
    de: 'Das lässt sich nicht rückgängig machen. Die jüngste verbleibende Richtlinie wird zur neuesten.',
  },
  deleteWord: { en: 'delete', de: 'löschen' },
})
