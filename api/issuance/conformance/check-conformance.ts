import type { z } from 'zod'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Evidence, Requirement } from './finding.ts'
import { readEvidence } from './read-evidence.ts'
import { type RequirementName, requirements, requirementsFor } from './requirements.ts'
import type { ConformanceView } from './schemas.ts'

type View = z.output<typeof ConformanceView>

/** Checks the documents, certificates and settings of a tenant against all requirements. */
export async function checkConformance(deps: Deps, tenant: Tenant): Promise<View> {
  const evidence = await readEvidence(deps, tenant)
  const checked = requirementsFor(tenant.profile).map((name) => check(name, requirements[name], evidence))
  const isUnmet = ({ level, state }: View['requirements'][number]) => level === 'must' && state === 'notMet'
  const specification = tenant.profile === 'eudi' ? 'HAIP 1.0 and ETSI TS 119 472-3' : 'HAIP 1.0'
  return { specification, conforms: !checked.some(isUnmet), requirements: checked }
}

function check(
  name: RequirementName,
  { clause, level, text, check, change, test }: Requirement,
  evidence: Evidence,
): View['requirements'][number] {
  const { state, lookedAt } = check(evidence)
  return {
    ...{ name, clause, level, text, state, lookedAt },
    ...(state === 'notMet' && change !== undefined ? { change } : {}),
    ...(state === 'toBeTested' && test !== undefined ? { test } : {}),
  }
}
