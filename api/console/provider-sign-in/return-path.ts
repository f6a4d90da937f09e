const base = 'https://console.invalid'
export const home = '/console/'

/** The address at this host's console that a text names, as a browser reads it; undefined for one that leads anywhere else. */
export function returnPathOf(text: string): string | undefined {
  if (!text.startsWith(home)) return undefined
  const url = URL.parse(text, base)
  if (url?.origin !== base || !url.pathname.startsWith(home)) return undefined
  return url.pathname + url.search + url.hash
}
