import type { ComponentType } from 'preact'
import type { Text } from './language.ts'
import { lackingFor } from './screen-needs.ts'

/** An area of the console: its menu entry and its screens. */
export interface Area {
  /** The path of its first screen, after `/console`. */
  path: string
  title: Text
  /** The heading above it in the menu. Absent for areas that stand alone. */
  group?: MenuGroup
  /** Returns whether the menu shows the area. Absent: always. */
  isShown?: () => boolean
  /** Set if a user can open the area by a link also if the menu does not show it. */
  hasPartForAll?: true
  /** The host of the area: of a tenant, or of the platform. */
  host: 'tenant' | 'platform'
  /** The screens by path. `:name` is a parameter, which the screen reads by `useRoute`. A screen is loaded when it is first shown. */
  screens: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
}

/** The headings of the menu, in their order. */
export type MenuGroup = 'issuing' | 'trust' | 'operation'

/** Returns the first screen of an area that the user may open, without parameters. The menu leads to it. */
export function firstScreenOf({ screens }: Area): string | undefined {
  return Object.keys(screens).find((path) => !path.includes(':') && lackingFor(path).length === 0)
}
