/** Returns whether a package is installed. An installation can be without the development dependencies. */
export function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}
