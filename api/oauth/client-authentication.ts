/** The client behind a request to the token or PAR endpoint. */
export interface OAuthClient {
  /** Null for an anonymous wallet, which the pre-authorized grant admits. */
  clientId: string | null
  /** Thumbprint of the attested key of this instance of the client; null where none was attested. */
  instanceJkt: string | null
}
