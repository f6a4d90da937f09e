import { texts } from '../../kit/language.ts'

export const overviewTexts = texts({
  overview: { en: 'Overview', de: 'Übersicht' },
})
