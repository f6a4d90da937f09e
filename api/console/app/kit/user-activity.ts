/** The user counts as away after this time without input. Requests of the page then count as polling. */
const awayAfterMs = 10_000

/** Loading a page counts as activity. */
let lastAt = performance.now()
for (const name of ['pointerdown', 'keydown'])
  addEventListener(name, () => (lastAt = performance.now()), { capture: true, passive: true })

/** Returns whether the user is active. A session ends after a time without activity, even while its pages poll. */
export function isUserActive(): boolean {
  return performance.now() - lastAt < awayAfterMs
}
