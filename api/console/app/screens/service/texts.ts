import { texts } from '../../kit/language.ts'

export const serviceTexts = texts('service')
