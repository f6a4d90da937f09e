import type { ComponentChildren } from 'preact'
import { say } from '../language.ts'
import { chartTexts } from './texts.ts'

/** The values of the current item of a chart. Screen readers announce them. */
export function Reading({ children }: { children: string | undefined }) {
  return (
    <p class={children ? 'reading' : 'reading soft'} role="status">
      {children ?? say(chartTexts.hint)}
    </p>
  )
}

/** The figures of a chart as a table. */
export function AsTable({ children }: { children: ComponentChildren }) {
  return (
    <details>
      <summary>{say(chartTexts.asTable)}</summary>
      {children}
    </details>
  )
}
