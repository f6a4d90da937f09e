import { texts } from '../../kit/language.ts'

export const oneTexts = texts('bulkIssuance')
