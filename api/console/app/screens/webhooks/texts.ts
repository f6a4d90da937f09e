import { texts } from '../../kit/language.ts'

export const webhookTexts = texts('webhook')
