const base = 'https://console.invalid'
export const consoleHome = '/console/'

/** Resolves a text like a browser. Returns the path in this host's console, or undefined if the text leads elsewhere. */
export function parseReturnPath(text: string): string | undefined {
  if (!text.startsWith(consoleHome)) return undefined
  const url = URL.parse(text, base)
  if (url?.origin !== base || !url.pathname.startsWith(consoleHome)) return undefined
  return url.pathname + url.search + url.hash
}
