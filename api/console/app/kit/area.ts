import type { ComponentType } from 'preact'
import type { Permission } from '../../../../shared/access/permissions.ts'
import type { Text } from './language.ts'
import { hasPermission, hasRole, type Role } from './session.ts'

/** An area of the console: its menu entry and its screens. */
export interface Area {
  /** The path of its first screen, after `/console`. */
  path: string
  title: Text
  /** The heading above it in the menu. Absent for areas that stand alone. */
  group?: MenuGroup
  /** The roles that see this area, besides admins. Other users who follow a link get a message. The service enforces the permissions. */
  roles: readonly Role[]
  /** The permission with which people with an own role of the tenant see this area. */
  permission?: Permission
  /** Returns whether the menu shows the area. Absent: always. */
  isShown?: () => boolean
  /** Set if every role can open the area by a link. */
  hasPartForAll?: true
  /** The host of the area: of a tenant, or of the platform. */
  host: 'tenant' | 'platform'
  /** The screens by path. `:name` is a parameter, which the screen reads by `useRoute`. A screen is loaded when it is first shown. */
  screens: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
}

/** The headings of the menu, in their order. */
export type MenuGroup = 'issuing' | 'trust' | 'operation'

/** Returns whether the roles of the user show an area of a tenant. */
export function isForUser({ roles, permission }: Pick<Area, 'roles' | 'permission'>): boolean {
  return hasRole(...roles) || (permission !== undefined && hasPermission(permission))
}
