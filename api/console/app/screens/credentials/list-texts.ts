import { texts } from '../../kit/language.ts'

export const listTexts = texts({
  from: { en: 'Issued from (UTC)', de: 'Ausgestellt ab (UTC)' },
  until: { en: 'Issued until (UTC)', de: 'Ausgestellt bis (UTC)' },
  filter: { en: 'Filter', de: 'Filtern' },
  noFilter: { en: 'All credentials', de: 'Alle Nachweise' },
  noneSuch: { en: 'No credential matches the filter.', de: 'Kein Nachweis entspricht dem Filter.' },
})
