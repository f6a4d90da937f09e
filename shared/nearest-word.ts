/** Returns the candidate that a misspelled word most probably means. Undefined if no candidate is near. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  const maxDistance = Math.min(3, Math.max(1, Math.floor(word.length / 3)))
  let [nearest, smallest]: [string | undefined, number] = [undefined, maxDistance + 1]
  for (const candidate of candidates) {
    // The distance is at least the difference of the lengths. So a long text costs nothing.
    if (Math.abs(word.length - candidate.length) >= smallest) continue
    const distance = distanceOf(word, candidate)
    if (distance < smallest) [nearest, smallest] = [candidate, distance]
  }
  return nearest
}

/** Returns the smallest number of letters to insert, remove, replace or swap with the next one (optimal string alignment). */
function distanceOf(left: string, right: string): number {
  let before: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isEqual = left[row - 1] === right[column - 1]
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(
        Math.min(
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          at(previous, column - 1) + (isEqual ? 0 : 1),
          isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = previous
    previous = current
  }
  return at(previous, right.length)
}

function at(distances: readonly number[], column: number): number {
  return distances[column] ?? Number.POSITIVE_INFINITY
}
