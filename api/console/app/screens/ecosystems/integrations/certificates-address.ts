import { to } from '../../../kit/url-state.ts'

/** Returns the address of the screen with the certificates of a list. Names the list by position, because its URL may contain secrets. */
export function certificatesOf(ecosystemId: string, position: number): string {
  return to(`/ecosystems/${ecosystemId}/integrations/certificates`, { integration: String(position) })
}
