import { texts } from '../kit/language.ts'

/** The reasons why a sign-in at a provider failed, by the error code of the service. */
export const failureTexts = texts({
  expired: {
    en: 'That took too long, was used before, or was begun in another browser. Sign in again.',
    de: 'Das hat zu lange gedauert, wurde schon benutzt oder in einem anderen Browser begonnen. Melden Sie sich noch einmal an.',
  },
  cancelled: {
    en: 'The sign-in was cancelled at the provider.',
    de: 'Die Anmeldung wurde beim Anbieter abgebrochen.',
  },
  failed: {
    en: 'The provider refused, or its answer could not be accepted. Tell an administrator: the events say why.',
    de: 'Der Anbieter hat abgelehnt, oder seine Antwort war nicht annehmbar. Sagen Sie es der Administration: Die Ereignisse nennen den Grund.',
  },
  unavailable: {
    en: 'The provider could not be reached. Try again later.',
    de: 'Der Anbieter war nicht zu erreichen. Versuchen Sie es später noch einmal.',
  },
  no_role: {
    en: 'The provider knows you, and none of your groups has a role here. Ask an administrator.',
    de: 'Der Anbieter kennt Sie, aber keine Ihrer Gruppen hat hier eine Rolle. Fragen Sie die Administration.',
  },
  changed: {
    en: 'The settings of the provider were changed meanwhile. Sign in again.',
    de: 'Die Einstellungen des Anbieters wurden inzwischen geändert. Melden Sie sich noch einmal an.',
  },
})
