import type { ComponentType } from 'preact'
import type { Text } from './language.ts'
import type { Role } from './session.ts'

/** A part of the console: its place in the menu, and its screens. */
export interface Area {
  /** Behind `/console`; that of its first screen. */
  path: string
  title: Text
  /** For whom it is, besides admins: who else comes by a link is told so. The service decides who may what. */
  roles: readonly Role[]
  /** Whoever comes by a link finds something too. */
  hasPartForAll?: true
  /** On which host: of a tenant, or of the platform. */
  host: 'tenant' | 'platform'
  /** By their addresses; `:name` is a parameter, which the screen reads by `useRoute`. Each is loaded when it is first shown. */
  screens: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
}
