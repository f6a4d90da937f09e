import type { Schemas } from '../../kit/api.ts'
import { type Text, texts } from '../../kit/language.ts'

export const searchTexts = texts('search')

export const kindTexts: Record<Schemas['SearchedKind'], Text> = texts('searchKinds')
