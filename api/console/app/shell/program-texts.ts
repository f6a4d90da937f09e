import { texts } from '../kit/language.ts'

export const programTexts = texts('program')
