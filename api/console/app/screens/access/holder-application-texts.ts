import { texts } from '../../kit/language.ts'

export const holderApplicationTexts = texts('holderApplication')

export const instanceTexts = texts('instance')
