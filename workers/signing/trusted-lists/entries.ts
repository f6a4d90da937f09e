import type { ListedParticipant } from '../../../db/repos/ecosystems/listed-participants.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { ricalEntry, vicalEntry } from '../../../shared/formats/trusted-lists/build-list.ts'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'

type ListedCertificate = ListedParticipant['certificates'][number]

/** A certificate with the types of all its participants. */
interface Listed extends Pick<ListedCertificate, 'entry' | 'ski' | 'docTypes'> {
  name: string
}

/**
 * Returns the entries of a list from stored bytes. A certificate of several participants has one entry with the types of all and the name of
 * the first. Throws `bad_request` or `conflict` if the entries are invalid for the kind of list.
 */
export function entriesOf(kind: TrustedListKind, participants: ListedParticipant[]): Buffer[] {
  const listed = new Map<string, Listed>()
  for (const { name, certificates } of participants) {
    for (const { fingerprint, entry, ski, docTypes } of certificates) {
      const earlier = listed.get(fingerprint)
      if (earlier) earlier.docTypes = [...new Set([...earlier.docTypes, ...docTypes])]
      else listed.set(fingerprint, { name, entry, ski, docTypes })
    }
  }
  return makers[kind]([...listed.values()])
}

const makers: Record<TrustedListKind, (listed: Listed[]) => Buffer[]> = {
  vical: (listed) => listed.map(({ entry, docTypes }) => vicalEntry(entry, docTypes)),
  rical(listed) {
    if (listed.length === 0) throw noEntries()
    requireUniqueIdentifiers(listed)
    return listed.map(({ entry, name }) => ricalEntry(entry, name))
  },
}

/** Annex F of the second edition: `certificateInfos` is not empty. */
function noEntries(): Problem {
  return new Problem('bad_request', {
    message:
      'The list has no entries, but a RICAL needs at least one certificate. Add an active participant with the role verifier, ' +
      'a type of mobile credentials as verifier, and an active certificate that is valid now.',
  })
}

/** Annex F of the second edition: the subject key identifier of an authority is unique in the list. */
function requireUniqueIdentifiers(listed: Listed[]): void {
  const names = new Map<string, string>()
  for (const { ski, name } of listed) {
    const other = names.get(ski)
    if (other !== undefined) {
      throw new Problem('conflict', {
        message:
          `Two certificates have the subject key identifier ${ski}, which must be unique in a RICAL: ` +
          `one of ${JSON.stringify(other)} and one of ${JSON.stringify(name)}. Deactivate one of them.`,
      })
    }
    names.set(ski, name)
  }
}
