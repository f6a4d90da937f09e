import { texts } from '../../kit/language.ts'

export const revocationTexts = texts('revocation')
