import { texts } from '../../kit/language.ts'

export const attemptChartTexts = texts({
  title: { en: 'Success and response times', de: 'Erfolg und Antwortzeiten' },
  period: {
    en: 'Attempts of the newest deliveries ({count}), since {from}.',
    de: 'Versuche der neuesten Zustellungen ({count}), seit {from}.',
  },
  results: { en: 'Attempts', de: 'Versuche' },
  times: { en: 'Response times', de: 'Antwortzeiten' },
  hour: { en: 'Hour', de: 'Stunde' },
  day: { en: 'Day', de: 'Tag' },
  succeeded: { en: 'Succeeded', de: 'Erfolgreich' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  median: { en: 'Median', de: 'Median' },
  resultSummary: {
    en: '{succeeded} of {all} attempts succeeded ({percent}).',
    de: '{succeeded} von {all} Versuchen waren erfolgreich ({percent}).',
  },
  timeSummary: { en: 'Median {median}, slowest {slowest}.', de: 'Median {median}, langsamster Versuch {slowest}.' },
})
