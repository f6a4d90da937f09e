import { texts } from '../../kit/language.ts'

export const certificateTexts = texts('certificate')
