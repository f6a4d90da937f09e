import type { ClaimSourceRow } from '../../../db/repos/issuance/claim-sources.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { maskAuthorization, openAuthorization } from './authorization.ts'

export function presentClaimSource(row: ClaimSourceRow, secrets: Secrets) {
  const { id, name, url, requestMethod, requestParameters, onFailure } = row
  const authorization = maskAuthorization(openAuthorization(secrets, row))
  return { id, name, url, authorization, requestMethod, requestParameters, onFailure }
}
