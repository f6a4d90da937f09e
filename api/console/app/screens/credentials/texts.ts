import { texts } from '../../kit/language.ts'

export const credentialTexts = texts('credential')
