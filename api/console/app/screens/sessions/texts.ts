import { texts } from '../../kit/language.ts'

export const sessionTexts = texts('sessions')
