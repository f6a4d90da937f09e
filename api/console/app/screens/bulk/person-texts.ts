import { texts } from '../../kit/language.ts'

/** The texts of claim links for one person. */
export const personTexts = texts('singleLink')
