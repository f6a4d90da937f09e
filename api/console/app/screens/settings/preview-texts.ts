import { texts } from '../../kit/language.ts'

export const previewTexts = texts('preview')
