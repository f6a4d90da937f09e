import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { derivedId } from '../../../shared/ids.ts'
import { runProgram } from '../run-program.ts'

/** The members of a CycloneDX 1.5 document that this project reads. */
export interface Sbom {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; version: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

interface Component {
  'bom-ref': string
  name: string
  version: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  properties?: { name: string; value: string }[]
}

/**
 * Returns the production dependencies of package-lock.json as CycloneDX 1.5 (`npm sbom`). npm writes a random number and the time of the
 * call. Here they follow from the commit, so that the same commit gives the same bytes. Throws if the document is not valid.
 */
export async function makeSbom(project: string, { commit, committedAt }: { commit: string; committedAt: string }) {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const sbom = withoutDevelopment(JSON.parse(runProgram('npm', words, { cwd: project })))
  sbom.serialNumber = `urn:uuid:${derivedId('sbom', commit)}`
  sbom.metadata.timestamp = committedAt
  const faults = await faultsOfSbom(JSON.stringify(sbom))
  if (faults) throw new Error(`npm sbom wrote a document that is not CycloneDX 1.5: ${faults}`)
  return sbom
}

/** `npm sbom --omit dev` of npm 11 also leaves out packages that a production and a development dependency both need, such as zod. */
function withoutDevelopment(all: Sbom): Sbom {
  const isDevelopment = ({ properties = [] }: Component) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
  const left = new Set(all.components.filter(isDevelopment).map((component) => component['bom-ref']))
  return {
    ...all,
    components: all.components.filter((component) => !left.has(component['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => !left.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !left.has(each)) })),
  }
}

/** Validates a document against the schema of CycloneDX 1.5. Returns what is wrong, or undefined. */
export async function faultsOfSbom(text: string): Promise<string | undefined> {
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)
  return faults === null ? undefined : JSON.stringify(faults).slice(0, 1000)
}

/** Packages whose package.json refers to a file, and the licenses in it: of the code, and of the contexts of W3C. */
const licensesInFiles: Record<string, string> = {
  '@digitalbazaar/citizenship-context': 'BSD-3-Clause AND W3C-20150513',
  '@digitalbazaar/credentials-context': 'BSD-3-Clause AND W3C-20150513',
  'vc-revocation-list-context': 'BSD-3-Clause AND W3C-20150513',
}

/** Returns a line for each production dependency: name, version and license (SPDX), in the order of the names. */
export function licenseLines({ components }: Sbom): string[] {
  return components.map((component) => `${component.name} ${component.version}: ${licenseOf(component)}`).sort()
}

function licenseOf({ name, licenses = [] }: Component): string {
  const all = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
  const license = all.filter(Boolean).join(' AND ') || licensesInFiles[name]
  if (!license)
    throw new Error(`${name} has no license in its package.json. Look at the package, and add it to sbom.ts.`)
  return license
}
