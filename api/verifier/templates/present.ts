import type { VerifierTemplateRow } from '../../../db/repos/verifier/templates.ts'

export function presentVerifierTemplate({ id, name, purpose, query, checks }: VerifierTemplateRow) {
  return { id, name, ...(purpose !== null && { purpose }), dcqlQuery: query, ...checks }
}
