import { texts } from '../../kit/language.ts'

export const hoursTexts = texts('offerHours')
