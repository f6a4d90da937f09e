import type { Field } from './form-values.ts'
import { commonTexts } from './texts.ts'

/** The label of a user or an offer in a form. */
export const labelField: Field = { name: 'label', label: commonTexts.label, hint: commonTexts.labelHint }
