import { texts } from '../../kit/language.ts'

export const ecosystemTexts = texts('ecosystem')
