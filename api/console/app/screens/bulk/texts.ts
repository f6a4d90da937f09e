import { texts } from '../../kit/language.ts'

/** The menu loads this file. All other texts of these screens are in files of their own. */
export const bulkTexts = texts('bulk')
