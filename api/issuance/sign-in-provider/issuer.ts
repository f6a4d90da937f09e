/**
 * The issuer of a provider, by which its users are known. Discovery starts at it, and the library holds what is found there,
 * and every id token, to it (OpenID Connect Discovery 1.0, section 4.3); one slash more at the end makes no other issuer.
 * The migration `add_user_issuer` has the same in SQL.
 */
export function issuerOf({ url }: { url: string }): string {
  return url.replace(/\/+$/, '')
}
