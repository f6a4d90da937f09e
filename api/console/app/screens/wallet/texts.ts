import { texts } from '../../kit/language.ts'

export const walletTexts = texts('wallet')
