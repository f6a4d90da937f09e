import { texts } from '../../kit/language.ts'

export const daysTexts = texts('days')
