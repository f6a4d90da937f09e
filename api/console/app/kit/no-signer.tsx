import type { Answered } from './api.ts'
import { type Configuration, nameOfConfiguration } from './configurations.ts'
import { say } from './language.ts'
import { can } from './session.ts'
import { readSigningRoots, rootTexts, type SigningRoot } from './signing-roots.ts'
import { to } from './url-state.ts'
import { useRead } from './use-read.ts'

const readAgainMs = 10_000

/** Warns about chosen configurations whose credentials no certificate can sign, before an offer or an issuance is made. */
export function NoSigner({ of }: { of: readonly Configuration[] }) {
  const certified = can('retrieveSigningRoots') ? of.filter(isCertified) : []
  const ids = certified.map(({ id }) => id)
  const faults = useRead(() => readFaults(certified), ids, { everyMs: ids.length > 0 ? readAgainMs : undefined })
  if (!faults.data?.length) return null
  const names = faults.data.map(nameOfConfiguration).join(', ')
  return (
    <p class="note" role="status">
      {say(rootTexts.noSigner, { names })} <a href={to('/certificates')}>{say(rootTexts.mend)}</a>
    </p>
  )
}

type CertifiedProfile = SigningRoot['profile']

function isCertified(configuration: Configuration): configuration is Configuration & { profile: CertifiedProfile } {
  return configuration.profile === 'mobile' || configuration.profile === 'sd-jwt'
}

/** Returns the configurations that nothing can sign. Without permission to read the certificates, returns none. */
async function readFaults(certified: readonly Configuration[]): Promise<Answered<readonly Configuration[]>> {
  const withFault = await Promise.all(
    [...Map.groupBy(certified, ({ signerCaId }) => signerCaId)].map(async ([iacaId, same]) => {
      const { data } = await readSigningRoots(iacaId)
      const missing = data?.data.filter((root) => root.missing !== undefined).map(({ profile }) => profile) ?? []
      return same.filter(({ profile }) => missing.some((each) => each === profile))
    }),
  )
  return { data: withFault.flat() }
}
