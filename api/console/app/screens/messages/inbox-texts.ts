import { texts } from '../../kit/language.ts'

export const inboxesTexts = texts('inboxes')

export const inboxTexts = texts('inbox')

export const sendTexts = texts('send')
