/** Returns the path of a version of the type metadata of a configuration, below the address of its tenant. */
export function sdJwtTypePath(configurationId: string, version: number | string): string {
  return `/v2/credentials/sd-jwt/types/${configurationId}/${version}`
}
