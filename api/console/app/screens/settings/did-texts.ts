import { texts } from '../../kit/language.ts'

export const didTexts = texts('did')

export const contextTexts = texts('context')
