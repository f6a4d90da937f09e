import { texts } from '../kit/language.ts'

/** The reasons why a sign-in at a provider failed, by the error code of the service. */
export const failureTexts = texts({
  expired: {
    en: 'The sign-in took too long, was already used, or was started in another browser. Sign in again.',
    de: 'Die Anmeldung hat zu lange gedauert, wurde schon benutzt oder in einem anderen Browser begonnen. Melden Sie sich erneut an.',
  },
  cancelled: {
    en: 'The sign-in was cancelled at the provider.',
    de: 'Die Anmeldung wurde beim Anbieter abgebrochen.',
  },
  failed: {
    en: 'The provider refused the sign-in, or its response was not valid. Inform an administrator. The events show the reason.',
    de: 'Der Anbieter hat die Anmeldung abgelehnt, oder seine Antwort war nicht gültig. Informieren Sie die Administration. Die Ereignisse nennen den Grund.',
  },
  unavailable: {
    en: 'The provider could not be reached. Try again later.',
    de: 'Der Anbieter war nicht zu erreichen. Versuchen Sie es später noch einmal.',
  },
  busy: {
    en: 'This service could not complete the sign-in at the moment. Wait a minute, then sign in again.',
    de: 'Dieser Dienst konnte die Anmeldung gerade nicht abschließen. Warten Sie eine Minute, und melden Sie sich dann erneut an.',
  },
  no_role: {
    en: 'The provider knows you, but none of your groups has a role here. Ask an administrator for a role.',
    de: 'Der Anbieter kennt Sie, aber keine Ihrer Gruppen hat hier eine Rolle. Bitten Sie die Administration um eine Rolle.',
  },
  changed: {
    en: 'The settings of the provider have changed in the meantime. Sign in again.',
    de: 'Die Einstellungen des Anbieters wurden inzwischen geändert. Melden Sie sich erneut an.',
  },
})
