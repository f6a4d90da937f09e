import type { ComponentChildren } from 'preact'
import { mayOpen, type ScreenPath } from './screen-needs.ts'
import { to } from './url-state.ts'

/** A link to a screen that looks like a button, for users who may open the screen. */
export function LinkButton(props: {
  path: ScreenPath
  query?: Readonly<Record<string, string | undefined>>
  isPrimary?: boolean
  children: ComponentChildren
}) {
  const { path, query, isPrimary, children } = props
  if (!mayOpen(path)) return null
  return (
    <a class={isPrimary ? 'button primary' : 'button'} href={to(path, query)}>
      {children}
    </a>
  )
}
