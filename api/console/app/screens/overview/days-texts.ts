import { texts } from '../../kit/language.ts'

export const daysTexts = texts({
  issuances: { en: 'Issuances', de: 'Ausstellungen' },
  grouping: { en: 'Grouping', de: 'Gliederung' },
  outcome: { en: 'by outcome', de: 'nach Ergebnis' },
  type: { en: 'by type', de: 'nach Art' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
  other: { en: 'Other', de: 'Andere' },
  ended: {
    en: 'Offers that failed: {failed}, that expired unused: {expired}.',
    de: 'Fehlgeschlagene Angebote: {failed}, ungenutzt abgelaufene: {expired}.',
  },
  days: { en: 'Period', de: 'Zeitraum' },
  lastDays: { en: 'the last {days} days', de: 'die letzten {days} Tage' },
  summary: {
    en: '{total} in {days} days. The maximum was {most}, on {day}.',
    de: '{total} in {days} Tagen. Das Maximum war {most} am {day}.',
  },
  none: { en: 'Nothing was issued in these {days} days.', de: 'In diesen {days} Tagen wurde nichts ausgestellt.' },
  day: { en: 'Day (UTC)', de: 'Tag (UTC)' },
  issued: { en: 'Issued', de: 'Ausgestellt' },
})
