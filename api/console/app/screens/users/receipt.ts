/** The content of a receipt that the screen shows. */
export interface Receipt {
  sub: string
  rows: Record<string, number>
  credentials_revoked: number
  status_lists: string[]
  audit: { number: number }
}

/** Reads the payload of a receipt. The console does not verify the signature: the service returned the receipt. */
export function readReceipt(jwt: string): Receipt {
  const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}
