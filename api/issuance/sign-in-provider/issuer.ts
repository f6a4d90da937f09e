/**
 * Returns the issuer of a provider, which identifies its users together with their subject. The library checks the
 * discovered metadata and every ID token against it (OpenID Connect Discovery 1.0, section 4.3). Trailing slashes make
 * no difference. The migration `add_user_issuer` has the same rule in SQL.
 */
export function issuerOf({ url }: { url: string }): string {
  return url.replace(/\/+$/, '')
}
