import { texts } from '../../kit/language.ts'

/** The menu entry. The first view of the console loads this file, so the other texts are elsewhere. */
export const verificationTexts = texts('verification')
