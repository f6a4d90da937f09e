import { texts } from '../../kit/language.ts'

export const offerTexts = texts('offer')
