import { texts } from '../language.ts'

export const chartTexts = texts({
  asTable: { en: 'As a table', de: 'Als Tabelle' },
  hint: {
    en: 'Point at the chart, or use the arrow keys.',
    de: 'Zeigen Sie auf das Diagramm, oder verwenden Sie die Pfeiltasten.',
  },
  passed: { en: 'Time passed', de: 'Vergangene Zeit' },
  left: { en: 'Time left', de: 'Verbleibende Zeit' },
  today: { en: 'Today', de: 'Heute' },
  renewal: { en: 'Renewal by the service', de: 'Erneuerung durch den Dienst' },
  from: { en: 'From', de: 'Von' },
  until: { en: 'Until', de: 'Bis' },
  lifetimes: { en: 'Lifetimes', de: 'Laufzeiten' },
})
