import { texts } from '../../../kit/language.ts'

export const listTexts = texts('trustedLists')
