import { texts } from '../kit/language.ts'

export const programTexts = texts({
  title: { en: 'Sign in the command line', de: 'Kommandozeile anmelden' },
  question: { en: 'Allow the command line on this computer?', de: 'Die Kommandozeile auf diesem Computer zulassen?' },
  what: {
    en: 'It gets a session of its own as {name} ({roles}). It ends after 30 minutes without use, and no later than your own session.',
    de: 'Sie erhält eine eigene Sitzung als {name} ({roles}). Sie endet nach 30 Minuten ohne Nutzung und nicht später als Ihre eigene Sitzung.',
  },
  warning: {
    en: 'Allow it only if you have just run “trustwright login --browser” on this computer.',
    de: 'Lassen Sie es nur zu, wenn Sie gerade „trustwright login --browser“ auf diesem Computer ausgeführt haben.',
  },
  allow: { en: 'Allow', de: 'Zulassen' },
  invalid: {
    en: 'This address is not complete. Run “trustwright login --browser” again.',
    de: 'Diese Adresse ist nicht vollständig. Führen Sie „trustwright login --browser“ noch einmal aus.',
  },
})
