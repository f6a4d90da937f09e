import { texts } from '../../kit/language.ts'

export const previewTexts = texts({
  show: { en: 'Preview the offer page', de: 'Vorschau der Angebotsseite' },
  title: { en: 'The offer page, not saved', de: 'Die Angebotsseite, nicht gespeichert' },
  about: {
    en: 'An example offer of your oldest configurations. No wallet can collect it.',
    de: 'Ein Beispielangebot Ihrer ältesten Konfigurationen. Keine Wallet kann es abholen.',
  },
  logoFile: {
    en: 'A PNG, JPEG or WebP picture of at most 64 KB. Everyone can read an uploaded logo.',
    de: 'Ein Bild in PNG, JPEG oder WebP mit höchstens 64 KB. Ein hochgeladenes Logo ist öffentlich.',
  },
  phone: { en: 'On a phone', de: 'Auf einem Telefon' },
  desktop: { en: 'On a desktop', de: 'Auf einem Desktop' },
})
