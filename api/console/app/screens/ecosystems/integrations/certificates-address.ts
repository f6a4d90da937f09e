import { to } from '../../../kit/url-state.ts'

/** The address of the screen that shows the certificates of a list. It names the position of the list, because its URL may hold secrets. */
export function certificatesOf(ecosystemId: string, position: number): string {
  return to(`/ecosystems/${ecosystemId}/integrations/certificates`, { integration: String(position) })
}
