import { texts } from '../../../kit/language.ts'

export const policyTexts = texts({
  general: { en: 'General policy', de: 'Allgemeine Richtlinie' },
  issuer: { en: 'Issuer policy', de: 'Ausstellerrichtlinie' },
  verifier: { en: 'Verifier policy', de: 'Prüfstellenrichtlinie' },
  generalWhat: {
    en: 'Who takes part and may issue and verify which types. One is published at a time.',
    de: 'Wer teilnimmt und welche Arten ausstellen und prüfen darf. Veröffentlicht ist immer eine.',
  },
  issuerWhat: {
    en: 'Which issuers of mobile credentials are trusted, and by which certificates.',
    de: 'Welchen Ausstellern mobiler Nachweise vertraut wird, und durch welche Zertifikate.',
  },
  verifierWhat: {
    en: 'Which verifiers of mobile credentials are trusted, and by which certificates. A RICAL publishes one, too.',
    de: 'Welchen Prüfstellen mobiler Nachweise vertraut wird, und durch welche Zertifikate. Auch eine RICAL veröffentlicht eine.',
  },
  which: { en: 'Policy', de: 'Richtlinie' },
  publish: { en: 'Publish now', de: 'Jetzt veröffentlichen' },
  published: { en: 'The policy is published.', de: 'Die Richtlinie ist veröffentlicht.' },
  none: { en: 'None is published yet.', de: 'Noch ist keine veröffentlicht.' },
  publishedAt: { en: 'Published', de: 'Veröffentlicht' },
  sameAsNow: { en: 'as the ecosystem is now', de: 'wie das Ökosystem jetzt ist' },
  differs: { en: 'the ecosystem has changed since', de: 'das Ökosystem hat sich seither geändert' },
  version: { en: 'Version (ETag)', de: 'Version (ETag)' },
  participants: { en: 'Participants', de: 'Teilnehmer' },
  content: { en: 'What it says', de: 'Was sie sagt' },
  preview: { en: 'As it would be published now', de: 'Wie sie jetzt veröffentlicht würde' },
  byId: { en: 'One by its id', de: 'Eine nach ihrer ID' },
  latestAt: { en: 'The latest, public', de: 'Die neueste, öffentlich' },
  thisAt: { en: 'This one, public', de: 'Diese, öffentlich' },
  deleteWhat: {
    en: 'This cannot be undone. The newest remaining policy becomes the latest.',
    de: 'Das lässt sich nicht rückgängig machen. Die jüngste verbleibende Richtlinie ist dann die neueste.',
  },
  deleteWord: { en: 'delete', de: 'löschen' },
})
