/** Returns a secret in base64url with another last character. */
export function withOtherEnd(secret: string): string {
  return `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
}
