import type { ListedParticipant } from '../../../db/repos/ecosystems/listed-participants.ts'
import { Problem } from '../../../shared/errors.ts'
import { ricalEntry, vicalEntry } from '../../../shared/formats/trusted-lists/build-list.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'

type ListedCertificate = ListedParticipant['certificates'][number]

/** A certificate that is listed once, for types that it may have of several participants. */
interface Listed extends Pick<ListedCertificate, 'entry' | 'ski' | 'docTypes'> {
  name: string
}

/**
 * The entries of a list, of stored bytes. A certificate that several participants have is there once, for the types of all, by
 * the name of the first. Throws `bad_request` and `conflict` for what cannot be in a list of the kind.
 */
export function entriesOf(kind: TrustedListKind, participants: ListedParticipant[]): Buffer[] {
  const listed = new Map<string, Listed>()
  for (const { name, certificates } of participants) {
    for (const { fingerprint, entry, ski, docTypes } of certificates) {
      const known = listed.get(fingerprint)
      if (known) known.docTypes = [...new Set([...known.docTypes, ...docTypes])]
      else listed.set(fingerprint, { name, entry, ski, docTypes })
    }
  }
  return makers[kind]([...listed.values()])
}

const makers: Record<TrustedListKind, (listed: Listed[]) => Buffer[]> = {
  vical: (listed) => listed.map(({ entry, docTypes }) => vicalEntry(entry, docTypes)),
  rical(listed) {
    if (listed.length === 0) throw nobody()
    requireUniqueIdentifiers(listed)
    return listed.map(({ entry, name }) => ricalEntry(entry, name))
  },
}

/** Annex F of the second edition: `certificateInfos` is not empty. */
function nobody(): Problem {
  return new Problem('bad_request', {
    message:
      'There is nobody to list: a RICAL has at least one certificate. It takes an active participant that is a verifier, ' +
      'has a type of mobile credentials assigned as verifier, and has an active certificate that is valid now',
  })
}

/** Annex F of the second edition: readers find an authority by its subject key identifier, which no other has. */
function requireUniqueIdentifiers(listed: Listed[]): void {
  const names = new Map<string, string>()
  for (const { ski, name } of listed) {
    const other = names.get(ski)
    if (other !== undefined) {
      throw new Problem('conflict', {
        message:
          `Two certificates would be listed with the subject key identifier ${ski}, which a RICAL may have once: ` +
          `one of ${JSON.stringify(other)} and one of ${JSON.stringify(name)}. Make one of them inactive`,
      })
    }
    names.set(ski, name)
  }
}
