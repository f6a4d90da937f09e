const base = 'https://console.invalid'
export const home = '/console/'

/** Resolves a text like a browser. Returns the path in this host's console, or undefined if the text leads elsewhere. */
export function returnPathOf(text: string): string | undefined {
  if (!text.startsWith(home)) return undefined
  const url = URL.parse(text, base)
  if (url?.origin !== base || !url.pathname.startsWith(home)) return undefined
  return url.pathname + url.search + url.hash
}
