/** Returns a number with its words: `1 change`, `2 changes`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
