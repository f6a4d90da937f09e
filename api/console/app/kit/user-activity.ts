/** Who has touched nothing for so long is taken for away: what the page asks meanwhile, it asks by itself. */
const awayAfterMs = 10_000

/** To load a page is to be there. */
let lastAt = performance.now()
for (const name of ['pointerdown', 'keydown'])
  addEventListener(name, () => (lastAt = performance.now()), { capture: true, passive: true })

/** A session ends when nobody has used it for a while, however long its pages go on asking. */
export function isUserActive(): boolean {
  return performance.now() - lastAt < awayAfterMs
}
