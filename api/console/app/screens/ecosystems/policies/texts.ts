import { texts } from '../../../kit/language.ts'

export const policyTexts = texts('policy')
