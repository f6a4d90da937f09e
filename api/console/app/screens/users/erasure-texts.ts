import { texts } from '../../kit/language.ts'

export const erasureTexts = texts('erasure')
