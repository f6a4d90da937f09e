import { certificateProfiles, certifierOf, type SignerKind } from '../../formats/x509/profiles.ts'

/** Returns why there is no signer, and what to do. `hasAuthority`: whether an authority is active and valid, which is then unmanaged. */
export function missingSignerText(kind: SignerKind, hasAuthority: boolean): string {
  const authority = certificateProfiles[certifierOf(kind)].name
  const { name } = certificateProfiles[kind]
  return hasAuthority
    ? `The ${authority} is unmanaged and has no active ${name}. Create one and upload its certificate.`
    : `There is no active ${authority} that is valid now. Create or activate one.`
}
