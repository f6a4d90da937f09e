import { texts } from '../../kit/language.ts'

export const ecosystemTexts = texts({
  ecosystems: { en: 'Ecosystems', de: 'Ökosysteme' },
  ecosystem: { en: 'Ecosystem', de: 'Ökosystem' },
  create: { en: 'New ecosystem', de: 'Neues Ökosystem' },
  certificates: { en: 'Roots and signers', de: 'Wurzeln und Signierer' },
  empty: {
    en: 'No ecosystem yet. An ecosystem defines who may issue and verify which types of credentials, and publishes that as trusted lists.',
    de: 'Noch kein Ökosystem. Ein Ökosystem legt fest, wer welche Arten von Nachweisen ausstellen und prüfen darf, und veröffentlicht das als Vertrauenslisten.',
  },
  advice: {
    en: 'After this the next steps are shown one by one.',
    de: 'Danach werden Ihnen die nächsten Schritte einzeln gezeigt.',
  },
  nameHint: {
    en: 'Such as “Driving licences”, at most 50 characters',
    de: 'Etwa „Führerscheine“, höchstens 50 Zeichen',
  },
  rename: { en: 'Rename', de: 'Umbenennen' },
  deleteWhat: {
    en: 'Its participants, their evidence, its policies and all published lists are deleted as well. The lists can no longer be read.',
    de: 'Gelöscht werden auch seine Teilnehmer, deren Belege, seine Richtlinien und alle veröffentlichten Listen. Die Listen sind danach nicht mehr lesbar.',
  },
  attention: { en: 'Attention', de: 'Zu beachten' },
  allWell: { en: 'nothing', de: 'nichts' },
  failed: { en: '{list}: publication failed', de: '{list}: Veröffentlichung fehlgeschlagen' },
  due: { en: '{list}: publication is due', de: '{list}: Veröffentlichung ist fällig' },
  ending: { en: '{list}: out of date soon', de: '{list}: bald veraltet' },
  failing: { en: 'failed imported lists: {count}', de: 'fehlgeschlagene importierte Listen: {count}' },
  integrations: { en: 'Imported lists', de: 'Importierte Listen' },
  glance: { en: 'At a glance', de: 'Überblick' },
  types: { en: 'Types', de: 'Arten' },
  participants: { en: 'Participants', de: 'Teilnehmer' },
  policies: { en: 'Policies', de: 'Richtlinien' },
  validation: { en: 'Check trust', de: 'Vertrauen prüfen' },
  counts: { en: 'Content', de: 'Inhalt' },
  atLeast: { en: 'at least {count}', de: 'mindestens {count}' },
  steps: { en: 'Steps to the first VICAL', de: 'Schritte zur ersten VICAL' },
  stepTypes: {
    en: 'Define which types of credentials the ecosystem is about',
    de: 'Festlegen, um welche Arten von Nachweisen es geht',
  },
  stepParticipant: { en: 'Add a participant who issues them', de: 'Einen Teilnehmer hinzufügen, der sie ausstellt' },
  stepCertificate: {
    en: 'Assign it a type of mobile credentials, and add the certificate of its authority',
    de: 'Ihm eine Art mobiler Nachweise zuteilen und das Zertifikat seiner Zertifizierungsstelle hinzufügen',
  },
  stepRoot: {
    en: 'Create a root for your lists and activate it. Its signer is created automatically',
    de: 'Eine Wurzel für Ihre Listen anlegen und aktivieren. Ihr Signierer wird automatisch angelegt',
  },
  stepConfigure: {
    en: 'Define who publishes the lists, and how often',
    de: 'Festlegen, wer die Listen veröffentlicht und wie oft',
  },
  stepPublish: { en: 'Publish the first list', de: 'Die erste Liste veröffentlichen' },
  stepDone: { en: 'done', de: 'erledigt' },
  begin: { en: 'Begin', de: 'Beginnen' },

  newType: { en: 'Add a type', de: 'Art hinzufügen' },
  typesEmpty: {
    en: 'No type yet. First define which types of credentials this ecosystem is about.',
    de: 'Noch keine Art. Legen Sie zuerst fest, um welche Arten von Nachweisen es in diesem Ökosystem geht.',
  },
  profile: { en: 'Profile', de: 'Profil' },
  type: { en: 'Type', de: 'Art' },
  typeHint: {
    en: 'The type as credentials contain it. For mobile credentials the document type, such as org.iso.18013.5.1.mDL',
    de: 'Die Art, wie Nachweise sie enthalten. Bei mobilen Nachweisen der Dokumenttyp, etwa org.iso.18013.5.1.mDL',
  },
  mobile: { en: 'mobile (mdoc)', de: 'mobil (mdoc)' },
  compact: { en: 'compact (CWT)', de: 'kompakt (CWT)' },
  sdJwt: { en: 'SD-JWT VC', de: 'SD-JWT VC' },
  compactSemantic: { en: 'compact semantic (CWT)', de: 'kompakt-semantisch (CWT)' },
  webSemantic: { en: 'web semantic (JSON-LD)', de: 'web-semantisch (JSON-LD)' },
  deleteType: {
    en: 'It is then assigned to no participant. Published lists contain it until the next list.',
    de: 'Sie ist dann keinem Teilnehmer mehr zugeteilt. Veröffentlichte Listen enthalten sie bis zur nächsten Liste.',
  },
})
