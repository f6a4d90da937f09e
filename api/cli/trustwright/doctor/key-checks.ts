import { type ApiClient, type components, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import { type DoctorFinding, failedCheck, passedCheck, skippedCheck, warnedCheck } from './finding.ts'

type Schemas = components['schemas']
type Finding = Omit<DoctorFinding, 'check'>

/** Checks the providers of private keys, and for a client of the platform also the last comparison of their keys. */
export async function checkKeyProviders(client: ApiClient): Promise<Finding[]> {
  const { data } = await dataOf(client.GET('/v1/keys/providers'))
  return [...providerFindings(data), ...(await comparedKeys(client))]
}

async function comparedKeys(client: ApiClient): Promise<Finding[]> {
  try {
    return comparisonFindings((await dataOf(client.GET('/v1/keys/comparisons'))).data)
  } catch (error) {
    if (!(error instanceof TrustwrightError) || ![403, 404].includes(error.status)) throw error
    return [skippedCheck('The keys are compared with those of the providers for a client of the platform only')]
  }
}

export function providerFindings(providers: Schemas['KeyProvider'][]): Finding[] {
  return providers.map(({ name, isAvailable, algorithms }) =>
    isAvailable
      ? passedCheck(`${name} answers: ${algorithms.join(', ')}`)
      : failedCheck(`${name} does not answer a signing process`),
  )
}

export function comparisonFindings(comparisons: Schemas['KeyComparison'][]): Finding[] {
  return comparisons.flatMap(findingsOf)
}

const namedKeys = 3

function findingsOf({ provider, comparedAt, isComplete, keys, missing, unused }: Schemas['KeyComparison']): Finding[] {
  if (!isComplete) return [warnedCheck(`${provider} has too many keys. They are not compared`)]
  const missingKeys = missing.first.map(({ tenantId, keyId }) => `${keyId} of tenant ${tenantId}`)
  const findings = [
    ...(missing.count > 0
      ? [failedCheck(`${provider} lacks private keys (${missing.count}): ${firstOf(missingKeys, missing.count)}`)]
      : []),
    ...(unused.count > 0
      ? [
          warnedCheck(
            `${provider} has unused private keys (${unused.count}): ${firstOf(unused.first, unused.count)}. Destroy them: trustwright keys check --destroy-unused ${provider}`,
          ),
        ]
      : []),
  ]
  if (findings.length > 0) return findings
  return [passedCheck(`${provider} has the private keys of all ${keys} keys, compared at ${comparedAt}`)]
}

function firstOf(names: string[], count: number): string {
  return [...names.slice(0, namedKeys), ...(count > namedKeys ? ['...'] : [])].join(', ')
}
