import type { PublicationKind } from '../../../shared/domain/operations/publications.ts'

/** Presents the ends of the visible kinds, the soonest first. */
export function presentValidity(ends: ReadonlyMap<PublicationKind, Date>, visible: PublicationKind[], at: Date) {
  const data = [...ends]
    .filter(([kind]) => visible.includes(kind))
    .map(([kind, end]) => ({
      kind,
      endsAt: end.toISOString(),
      secondsLeft: Math.floor((end.getTime() - at.getTime()) / 1000),
    }))
  return { data: data.sort((a, b) => a.secondsLeft - b.secondsLeft) }
}
