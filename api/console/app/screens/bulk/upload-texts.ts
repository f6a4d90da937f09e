import { texts } from '../../kit/language.ts'

export const uploadTexts = texts('upload')
